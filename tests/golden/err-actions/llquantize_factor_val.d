/*
 * D_LLQUANT_FACTORVAL.
 * @args -x errtags
 */
BEGIN
{
	@ = llquantize(1, 1, 0, 3, 10);
}
