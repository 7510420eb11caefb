/*
 * D_LQUANT_STEPSMALL.
 * @args -x errtags
 */
BEGIN
{
	@ = lquantize(1, 0, 1000000, 1);
}
