/*
 * A bracket for a parenthesis.
 * @args -x errtags
 */
BEGIN
{
	trace(1];
}
