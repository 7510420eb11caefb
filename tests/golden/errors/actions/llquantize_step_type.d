/*
 * D_LLQUANT_STEPTYPE.
 * @args -x errtags
 * @ref d-errors 2.11 D_LLQUANT_STEPTYPE; d-builtins 7.2 llquantize-parameters */
BEGIN
{
	@ = llquantize(1, 10, 0, 3, 0);
}
