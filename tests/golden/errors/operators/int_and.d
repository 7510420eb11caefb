/*
 * A pointer operand of &.
 * @args -x errtags
 */
BEGIN
{
	trace(curthread & 1);
}
