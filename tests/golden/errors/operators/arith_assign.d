/*
 * A string operand of *=.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_ARITH; d-language 9.1 multiply-assign */
BEGIN
{
	x = 1;
	x *= "a";
}
