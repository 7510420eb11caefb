/* D_LLQUANT_HMAGVAL: more than 64 bits. */
BEGIN
{
	@ = llquantize(1, 10, 0, 19, 10);
}
