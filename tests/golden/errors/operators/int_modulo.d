/*
 * A string operand of %.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INT; d-language 9.1 integer-only */
BEGIN
{
	trace("a" % 2);
}
