/*
 * An operand that was not given.
 * @args -x errtags
 */
BEGIN
{
	trace($1);
}
