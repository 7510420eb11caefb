/*
 * D_STACK_SIZE: no constant.
 * @args -x errtags
 * @ref d-errors 2.10 D_STACK_SIZE */
BEGIN
{
	stack(pid);
}
