/*
 * D_LLQUANT_HMAGVAL: more than 64 bits.
 * @args -x errtags
 */
BEGIN
{
	@ = llquantize(1, 10, 0, 19, 10);
}
