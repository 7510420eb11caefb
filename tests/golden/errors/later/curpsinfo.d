/*
 * Translated built-in variables.
 * @args -x errtags
 */
BEGIN
{
	trace(curpsinfo->pr_pid);
}
