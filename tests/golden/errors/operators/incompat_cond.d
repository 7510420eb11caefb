/*
 * Branches of ?: of different types.
 * @args -x errtags
 */
BEGIN
{
	trace(pid ? 1 : "a");
}
