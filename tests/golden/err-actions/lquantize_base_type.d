/*
 * D_LQUANT_BASETYPE.
 * @args -x errtags
 */
BEGIN
{
	@ = lquantize(1, pid, 10);
}
