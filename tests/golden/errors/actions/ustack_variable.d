/*
 * D_USTACK_FRAMES: no constant.
 * @args -x errtags
 * @ref d-errors 2.10 D_USTACK_FRAMES */
BEGIN
{
	ustack(pid);
}
