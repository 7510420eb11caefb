/*
 * An aggregating function as a statement of its own.
 * @args -x errtags
 * @ref d-errors 2.1 D_CG_EXPR; d-language 15 function-elsewhere */
BEGIN
{
	count();
}
