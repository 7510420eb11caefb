/*
 * D_LLQUANT_STEPVAL: no multiple of the factor.
 * @args -x errtags
 */
BEGIN
{
	@ = llquantize(1, 10, 0, 3, 15);
}
