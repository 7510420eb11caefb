/*
 * An action as an operand of ||.
 * @args -x errtags
 */
BEGIN
{
	trace(1) || trace(2);
}
