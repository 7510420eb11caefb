/* D_LLQUANT_FACTORTYPE. */
BEGIN
{
	@ = llquantize(1, pid, 0, 3, 10);
}
