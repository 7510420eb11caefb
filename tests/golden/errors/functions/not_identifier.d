/*
 * The callee is no name.
 * @args -x errtags
 * @ref d-errors 2.3 D_FUNC_IDENT; d-language 9.1 call */
BEGIN
{
	(3)();
}
