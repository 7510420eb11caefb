/*
 * A number of frames that isn't constant.
 * @args -x errtags
 * @ref d-errors 2.10 D_STACK_SIZE; d-builtins 4 stack-errors */
BEGIN
{
	stack(pid);
}
