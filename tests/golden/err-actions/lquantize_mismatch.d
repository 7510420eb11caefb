/*
 * D_LQUANT_MISMATCH.
 * @args -x errtags
 */
BEGIN
{
	@ = lquantize(1, 10, 5);
}
