/*
 * Actions as branches of a ?: whose value is used.
 * @args -x errtags
 */
BEGIN
{
	x = 1 ? trace(1) : trace(2);
}
