/*
 * D_LQUANT_MATCHLIM.
 * @args -x errtags
 */
BEGIN
{
	@ = lquantize(1, 0, 10); @ = lquantize(1, 0, 20);
}
