/* D_USTACK_FRAMES: no constant. */
BEGIN
{
	ustack(pid);
}
