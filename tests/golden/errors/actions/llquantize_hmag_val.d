/*
 * D_LLQUANT_HMAGVAL: below the low magnitude.
 * @args -x errtags
 * @ref d-errors 2.11 D_LLQUANT_HMAGVAL; d-builtins 7.2 llquantize-parameters */
BEGIN
{
	@ = llquantize(1, 10, 3, 2, 10);
}
