/* D_LQUANT_STEPTYPE. */
BEGIN
{
	@ = lquantize(1, 0, 10, -2);
}
