/*
 * A built-in variable is called.
 * @args -x errtags
 */
BEGIN
{
	pid();
}
