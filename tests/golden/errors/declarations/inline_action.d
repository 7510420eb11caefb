/*
 * An inline is no action.
 * @args -x errtags
 * @ref d-language 13 actions; d-errors 2.4 D_OP_ACT */
inline int x = trace(1);

BEGIN
{
	trace(x);
}
