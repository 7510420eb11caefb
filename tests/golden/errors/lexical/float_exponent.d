/*
 * A floating-point constant with an exponent.
 * @args -x errtags
 */
BEGIN
{
	trace(1e3);
}
