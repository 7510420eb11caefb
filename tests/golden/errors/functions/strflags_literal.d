/*
 * The set of strflags() is a literal.
 * @args -x errtags
 */
BEGIN
{
	trace(strflags(1, execname));
}
