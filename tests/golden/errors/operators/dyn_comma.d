/*
 * An aggregation as an operand of the comma.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_DYN; d-language 9.1 comma; d-language 15 in-expression */
BEGIN
{
	@a = count();
	trace((@a, 1));
}
