/*
 * The last operand is not used.
 * @args -x errtags one two
 * @ref d-errors 2.7 D_MACRO_UNUSED; d-language 2 unused-operand */
BEGIN
{
	trace($$1);
}
