/*
 * D_LQUANT_STEPTYPE: 0.
 * @args -x errtags
 */
BEGIN
{
	@ = lquantize(1, 0, 10, 0);
}
