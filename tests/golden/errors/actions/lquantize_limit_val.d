/*
 * D_LQUANT_LIMVAL.
 * @args -x errtags
 * @ref d-errors 2.11 D_LQUANT_LIMVAL; d-builtins 7.2 lquantize-parameters */
BEGIN
{
	@ = lquantize(1, 0, 3000000000);
}
