/*
 * denormalize() of a number.
 * @args -x errtags
 */
BEGIN
{
	denormalize(1);
}
