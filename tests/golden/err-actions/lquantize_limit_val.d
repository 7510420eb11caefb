/*
 * D_LQUANT_LIMVAL.
 * @args -x errtags
 */
BEGIN
{
	@ = lquantize(1, 0, 3000000000);
}
