/*
 * An action as an operand of the comma.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_ACT; d-language 9.1 comma */
BEGIN
{
	trace(1), 2;
}
