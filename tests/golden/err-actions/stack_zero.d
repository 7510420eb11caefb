/*
 * D_STACK_SIZE: 0.
 * @args -x errtags
 */
BEGIN
{
	stack(0);
}
