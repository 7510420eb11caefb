/*
 * D_AGG_SCALAR.
 * @args -x errtags
 * @ref d-errors 2.5 D_AGG_SCALAR */
BEGIN
{
	@ = lquantize("a", 0, 10);
}
