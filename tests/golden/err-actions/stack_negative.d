/*
 * D_STACK_SIZE.
 * @args -x errtags
 * @ref d-errors 2.10 D_STACK_SIZE */
BEGIN
{
	stack(-1);
}
