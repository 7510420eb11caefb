/*
 * A sum is assigned to.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_LVAL; d-language 9.5 not-lvalues */
BEGIN
{
	x = 1;
	x + 1 = 2;
}
