/*
 * An aggregating function as an operand.
 * @args -x errtags
 */
BEGIN
{
	x = 1 + count();
}
