/*
 * D_USTACK_STRSIZE.
 * @args -x errtags
 */
BEGIN
{
	ustack(1, -1);
}
