/*
 * D_USTACK_FRAMES: no constant.
 * @args -x errtags
 */
BEGIN
{
	ustack(pid);
}
