/*
 * A floating-point constant.
 * @args -x errtags
 */
BEGIN
{
	trace(1.5);
}
