/*
 * Letters after a constant.
 * @args -x errtags
 */
BEGIN
{
	trace(12x);
}
