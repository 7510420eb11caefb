/* D_LQUANT_STEPLARGE. */
BEGIN
{
	@ = lquantize(1, 0, 10, 100);
}
