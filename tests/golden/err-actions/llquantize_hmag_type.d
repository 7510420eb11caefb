/*
 * D_LLQUANT_HMAGTYPE.
 * @args -x errtags
 */
BEGIN
{
	@ = llquantize(1, 10, 0, pid, 10);
}
