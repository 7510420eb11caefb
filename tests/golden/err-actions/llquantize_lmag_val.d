/*
 * D_LLQUANT_LMAGVAL.
 * @args -x errtags
 */
BEGIN
{
	@ = llquantize(1, 10, -1, 3, 10);
}
