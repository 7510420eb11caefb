/* D_LQUANT_BASETYPE. */
BEGIN
{
	@ = lquantize(1, pid, 10);
}
