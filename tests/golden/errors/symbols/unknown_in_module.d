/*
 * No such symbol in the kernel.
 * @args -x errtags
 * @ref d-language 14 unknown
 * @ref d-errors 2.9 D_IDENT_UNDEF
 */
BEGIN
{
	trace(vmlinux`nosuch_symbol);
}
