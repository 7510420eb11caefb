/*
 * D_LQUANT_BASETYPE.
 * @args -x errtags
 * @ref d-errors 2.11 D_LQUANT_BASETYPE; d-builtins 7.2 lquantize-parameters */
BEGIN
{
	@ = lquantize(1, pid, 10);
}
