/*
 * D_LQUANT_STEPVAL.
 * @args -x errtags
 * @ref d-errors 2.11 D_LQUANT_STEPVAL; d-builtins 7.2 lquantize-parameters */
BEGIN
{
	@ = lquantize(1, 0, 1000000, 70000);
}
