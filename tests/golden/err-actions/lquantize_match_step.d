/*
 * D_LQUANT_MATCHSTEP.
 * @args -x errtags
 */
BEGIN
{
	@ = lquantize(1, 0, 10, 5); @ = lquantize(1, 0, 10, 2);
}
