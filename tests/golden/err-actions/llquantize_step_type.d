/*
 * D_LLQUANT_STEPTYPE.
 * @args -x errtags
 */
BEGIN
{
	@ = llquantize(1, 10, 0, 3, 0);
}
