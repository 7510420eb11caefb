/* D_LQUANT_MISMATCH. */
BEGIN
{
	@ = lquantize(1, 10, 5);
}
