/* D_AGG_SCALAR. */
BEGIN
{
	@ = lquantize("a", 0, 10);
}
