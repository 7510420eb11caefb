/*
 * A probe without arguments.
 * @args -x errtags
 */
BEGIN
{
	trace(args[0]);
}
