/* D_LLQUANT_STEPVAL: no multiple of the factor. */
BEGIN
{
	@ = llquantize(1, 10, 0, 3, 15);
}
