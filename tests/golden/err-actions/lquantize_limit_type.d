/* D_LQUANT_LIMTYPE. */
BEGIN
{
	@ = lquantize(1, 0, pid);
}
