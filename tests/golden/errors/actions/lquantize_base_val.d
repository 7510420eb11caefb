/*
 * D_LQUANT_BASEVAL.
 * @args -x errtags
 * @ref d-errors 2.11 D_LQUANT_BASEVAL; d-builtins 7.2 lquantize-parameters */
BEGIN
{
	@ = lquantize(1, -3000000000, 10);
}
