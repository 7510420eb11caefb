/*
 * An aggregation as an operand of arithmetic.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 15 in-expression */
BEGIN
{
	@a = count(); x = @a + 1;
}
