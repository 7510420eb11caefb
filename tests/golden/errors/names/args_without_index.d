/*
 * args without a subscript.
 * @args -x errtags
 */
BEGIN
{
	trace(args);
}
