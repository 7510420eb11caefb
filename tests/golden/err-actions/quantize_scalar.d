/*
 * D_AGG_SCALAR.
 * @args -x errtags
 */
BEGIN
{
	@ = quantize("a");
}
