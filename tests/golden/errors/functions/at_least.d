/*
 * Too few for a function with an optional argument.
 * @args -x errtags
 */
BEGIN
{
	trace(substr("a"));
}
