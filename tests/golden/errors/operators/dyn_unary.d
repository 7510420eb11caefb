/*
 * An aggregation as the operand of a unary operator.
 * @args -x errtags
 */
BEGIN
{
	@a = count();
	trace(-@a);
}
