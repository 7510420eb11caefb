/*
 * A decimal constant without a suffix is signed.
 * @args -x errtags
 */
BEGIN
{
	trace(18446744073709551615);
}
