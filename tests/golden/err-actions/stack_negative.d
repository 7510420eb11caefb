/* D_STACK_SIZE. */
BEGIN
{
	stack(-1);
}
