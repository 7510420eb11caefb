/*
 * A built-in variable is assigned to.
 * @args -x errtags
 */
BEGIN
{
	pid = 1;
}
