/*
 * A built-in variable is called.
 * @args -x errtags
 * @ref d-errors 2.3 D_FUNC_IDKIND; d-language 9.1 call */
BEGIN
{
	pid();
}
