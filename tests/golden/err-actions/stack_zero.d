/* D_STACK_SIZE: 0. */
BEGIN
{
	stack(0);
}
