/*
 * D_USTACK_FRAMES.
 * @args -x errtags
 */
BEGIN
{
	ustack(-1);
}
