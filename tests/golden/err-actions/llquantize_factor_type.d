/*
 * D_LLQUANT_FACTORTYPE.
 * @args -x errtags
 */
BEGIN
{
	@ = llquantize(1, pid, 0, 3, 10);
}
