/*
 * A string operand of unary -.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_ARITH; d-language 9.1 unary-sign */
BEGIN
{
	trace(-"a");
}
