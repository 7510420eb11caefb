/*
 * The address of a variable.
 * @args -x errtags
 * @ref d-errors 2.4 D_ADDROF_VAR; d-language 9.1 address */
BEGIN
{
	x = 1;
	trace(&x);
}
