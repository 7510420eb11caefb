/*
 * D_LLQUANT_STEPVAL: too many.
 * @args -x errtags
 */
BEGIN
{
	@ = llquantize(1, 10, 0, 3, 70000);
}
