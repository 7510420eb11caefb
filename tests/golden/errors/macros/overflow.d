/*
 * An operand that is too big.
 * @args -x errtags 99999999999999999999
 */
BEGIN
{
	trace($1);
}
