/*
 * Seventeen hexadecimal digits.
 * @args -x errtags
 */
BEGIN
{
	trace(0x1ffffffffffffffff);
}
