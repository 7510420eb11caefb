/*
 * The characters of a built-in string cannot be assigned.
 * @args -x errtags
 * @ref d-language 10.3 store
 * @ref d-errors 2.4 D_OP_WRITE
 */
BEGIN
{
	execname[0]++;
}
