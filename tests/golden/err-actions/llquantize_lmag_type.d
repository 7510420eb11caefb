/* D_LLQUANT_LMAGTYPE. */
BEGIN
{
	@ = llquantize(1, 10, pid, 3, 10);
}
