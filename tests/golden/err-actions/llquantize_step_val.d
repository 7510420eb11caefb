/*
 * D_LLQUANT_STEPVAL: does not divide the factor.
 * @args -x errtags
 */
BEGIN
{
	@ = llquantize(1, 10, 0, 3, 3);
}
