/*
 * D_AGG_SCALAR.
 * @args -x errtags
 */
BEGIN
{
	@ = lquantize("a", 0, 10);
}
