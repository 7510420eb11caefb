/*
 * D_LLQUANT_LMAGVAL.
 * @args -x errtags
 * @ref d-errors 2.11 D_LLQUANT_LMAGVAL; d-builtins 7.2 llquantize-parameters */
BEGIN
{
	@ = llquantize(1, 10, -1, 3, 10);
}
