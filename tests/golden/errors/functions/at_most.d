/*
 * Too many for a function with an optional argument.
 * @args -x errtags
 */
BEGIN
{
	trace(substr("a", 1, 2, 3));
}
