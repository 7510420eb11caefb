/*
 * An aggregating function as an operand.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 15 function-elsewhere */
BEGIN
{
	x = 1 + count();
}
