/* D_STACK_SIZE: no constant. */
BEGIN
{
	stack(pid);
}
