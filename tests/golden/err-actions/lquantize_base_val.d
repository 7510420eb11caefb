/*
 * D_LQUANT_BASEVAL.
 * @args -x errtags
 */
BEGIN
{
	@ = lquantize(1, -3000000000, 10);
}
