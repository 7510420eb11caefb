/*
 * A string operand of ~.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INT; d-language 9.1 bitwise-not */
BEGIN
{
	trace(~"a");
}
