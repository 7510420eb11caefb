/*
 * D_STACK_SIZE: 0.
 * @args -x errtags
 * @ref d-errors 2.10 D_STACK_SIZE */
BEGIN
{
	stack(0);
}
