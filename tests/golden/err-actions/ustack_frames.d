/* D_USTACK_FRAMES. */
BEGIN
{
	ustack(-1);
}
