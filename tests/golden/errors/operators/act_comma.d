/*
 * An action as an operand of the comma.
 * @args -x errtags
 */
BEGIN
{
	trace(1), 2;
}
