/*
 * D_LQUANT_LIMTYPE.
 * @args -x errtags
 */
BEGIN
{
	@ = lquantize(1, 0, pid);
}
