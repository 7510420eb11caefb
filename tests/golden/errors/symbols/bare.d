/*
 * A bare name is never a symbol of the kernel.
 * @args -x errtags
 * @ref d-language 14 no-bare-names
 * @ref d-errors 2.9 D_IDENT_UNDEF
 */
BEGIN
{
	trace(schedule);
}
