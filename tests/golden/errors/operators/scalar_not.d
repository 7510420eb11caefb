/*
 * A string operand of !.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_SCALAR; d-language 9.1 logical-not */
BEGIN
{
	trace(!"a");
}
