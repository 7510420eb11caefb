/*
 * D_LLQUANT_HMAGVAL: below the low magnitude.
 * @args -x errtags
 */
BEGIN
{
	@ = llquantize(1, 10, 3, 2, 10);
}
