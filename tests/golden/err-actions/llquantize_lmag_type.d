/*
 * D_LLQUANT_LMAGTYPE.
 * @args -x errtags
 */
BEGIN
{
	@ = llquantize(1, 10, pid, 3, 10);
}
