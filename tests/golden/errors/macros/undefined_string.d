/*
 * The second of one operands, as a string.
 * @args -x errtags one
 * @ref d-errors 2.7 D_MACRO_UNDEF; d-language 2 missing-operand */
BEGIN
{
	trace($1);
	trace($$2);
}
