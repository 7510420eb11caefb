/*
 * D_LQUANT_STEPLARGE.
 * @args -x errtags
 */
BEGIN
{
	@ = lquantize(1, 0, 10, 100);
}
