/*
 * An aggregation as an operand of &&.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_SCALAR; d-language 15 in-expression */
BEGIN
{
	@a = count(); x = @a && 1;
}
