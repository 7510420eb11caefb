/*
 * D_USTACK_STRSIZE.
 * @args -x errtags
 * @ref d-errors 2.10 D_USTACK_STRSIZE */
BEGIN
{
	ustack(1, -1);
}
