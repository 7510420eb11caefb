/*
 * The address of a constant.
 * @args -x errtags
 * @ref d-errors 2.4 D_ADDROF_LVAL; d-language 9.1 address */
BEGIN
{
	trace(&3);
}
