/*
 * D_AGG_SCALAR.
 * @args -x errtags
 * @ref d-errors 2.5 D_AGG_SCALAR; d-builtins 7.1 scalar-value */
BEGIN
{
	@ = quantize("a");
}
