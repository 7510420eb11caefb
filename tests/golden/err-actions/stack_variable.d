/*
 * D_STACK_SIZE: no constant.
 * @args -x errtags
 */
BEGIN
{
	stack(pid);
}
