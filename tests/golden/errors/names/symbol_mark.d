/*
 * The mark of user symbols on a module of the kernel.
 * @args -x errtags
 * @ref d-errors 2.9 D_SYM_BADREF; d-language 14 mark-mismatch */
BEGIN
{
	trace(&vmlinux``schedule);
}
