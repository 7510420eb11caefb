/*
 * An aggregation as an operand of the comma.
 * @args -x errtags
 */
BEGIN
{
	@a = count();
	trace((@a, 1));
}
