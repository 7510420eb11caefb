/*
 * An inline is assigned to.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_LVAL; d-language 9.5 not-lvalues */
inline int three = 3;

BEGIN
{
	three = 4;
}
