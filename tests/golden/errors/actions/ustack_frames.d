/*
 * No frames at all.
 * @args -x errtags
 * @ref d-errors 2.10 D_USTACK_FRAMES; d-builtins 4 ustack-errors */
BEGIN
{
	ustack(0);
}
