/*
 * An aggregation as the right side of a compound assignment.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 15 in-expression */
BEGIN
{
	@a = count(); x = 1; x += @a;
}
