/*
 * The address of an aggregation.
 * @args -x errtags
 * @ref d-errors 2.4 D_ADDROF_VAR; d-language 9.1 address; d-language 15 address */
BEGIN
{
	@a = count();
	trace(&@a);
}
