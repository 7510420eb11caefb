/*
 * A variable is called as an aggregating function.
 * @args -x errtags
 * @ref d-errors 2.3 D_FUNC_IDKIND */
BEGIN
{
	@ = pid();
}
