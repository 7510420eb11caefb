/*
 * D_LLQUANT_STEPVAL: does not divide the factor.
 * @args -x errtags
 * @ref d-errors 2.11 D_LLQUANT_STEPVAL; d-builtins 7.2 llquantize-parameters */
BEGIN
{
	@ = llquantize(1, 10, 0, 3, 3);
}
