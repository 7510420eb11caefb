/*
 * An operand that is too big.
 * @args -x errtags 99999999999999999999
 * @ref d-errors 2.7 D_MACRO_OFLOW; d-language 2 integer-overflow */
BEGIN
{
	trace($1);
}
