/*
 * A divisor that is a string.
 * @args -x errtags
 */
BEGIN
{
	@a = count();
	normalize(@a, "2");
}
