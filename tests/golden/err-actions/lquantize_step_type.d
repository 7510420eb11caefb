/*
 * D_LQUANT_STEPTYPE.
 * @args -x errtags
 */
BEGIN
{
	@ = lquantize(1, 0, 10, -2);
}
