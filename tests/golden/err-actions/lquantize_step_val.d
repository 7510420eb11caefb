/*
 * D_LQUANT_STEPVAL.
 * @args -x errtags
 */
BEGIN
{
	@ = lquantize(1, 0, 1000000, 70000);
}
