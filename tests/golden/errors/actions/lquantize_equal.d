/*
 * D_LQUANT_MISMATCH: an empty range.
 * @args -x errtags
 * @ref d-errors 2.11 D_LQUANT_MISMATCH; d-builtins 7.2 lquantize-parameters */
BEGIN
{
	@ = lquantize(1, 10, 10);
}
