/*
 * A constant is incremented.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_LVAL; d-language 9.1 increment */
BEGIN
{
	3++;
}
