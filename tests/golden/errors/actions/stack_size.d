/*
 * A negative number of frames.
 * @args -x errtags
 * @ref d-errors 2.10 D_STACK_SIZE; d-builtins 4 stack-errors */
BEGIN
{
	stack(-1);
}
