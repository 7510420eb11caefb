/*
 * A function of the kernel cannot be called.
 * @args -x errtags
 * @ref d-errors 2.3 D_FUNC_IDENT
 * @ref d-language 14 function
 */
BEGIN
{
	`schedule();
}
