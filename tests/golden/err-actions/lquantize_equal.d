/*
 * D_LQUANT_MISMATCH: an empty range.
 * @args -x errtags
 */
BEGIN
{
	@ = lquantize(1, 10, 10);
}
