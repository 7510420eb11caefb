/*
 * An aggregation as the operand of a unary operator.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_DYN; d-language 15 in-expression */
BEGIN
{
	@a = count();
	trace(-@a);
}
