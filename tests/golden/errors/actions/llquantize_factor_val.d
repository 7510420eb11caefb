/*
 * D_LLQUANT_FACTORVAL.
 * @args -x errtags
 * @ref d-errors 2.11 D_LLQUANT_FACTORVAL; d-builtins 7.2 llquantize-parameters */
BEGIN
{
	@ = llquantize(1, 1, 0, 3, 10);
}
