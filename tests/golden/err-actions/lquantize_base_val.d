/* D_LQUANT_BASEVAL. */
BEGIN
{
	@ = lquantize(1, -3000000000, 10);
}
