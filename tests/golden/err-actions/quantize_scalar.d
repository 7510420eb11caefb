/* D_AGG_SCALAR. */
BEGIN
{
	@ = quantize("a");
}
