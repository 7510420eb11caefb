/* D_LQUANT_MISMATCH: an empty range. */
BEGIN
{
	@ = lquantize(1, 10, 10);
}
