/*
 * A string operand of &&.
 * @args -x errtags
 */
BEGIN
{
	trace(1 && "a");
}
