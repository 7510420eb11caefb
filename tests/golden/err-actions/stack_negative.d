/*
 * D_STACK_SIZE.
 * @args -x errtags
 */
BEGIN
{
	stack(-1);
}
