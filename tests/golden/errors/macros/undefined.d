/*
 * An operand that was not given.
 * @args -x errtags
 * @ref d-errors 2.7 D_MACRO_UNDEF; d-language 2 missing-operand */
BEGIN
{
	trace($1);
}
