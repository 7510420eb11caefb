/*
 * D_LQUANT_STEPTYPE.
 * @args -x errtags
 * @ref d-errors 2.11 D_LQUANT_STEPTYPE; d-builtins 7.2 lquantize-parameters */
BEGIN
{
	@ = lquantize(1, 0, 10, -2);
}
