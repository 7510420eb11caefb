/*
 * D_LLQUANT_FACTORTYPE.
 * @args -x errtags
 * @ref d-errors 2.11 D_LLQUANT_FACTORTYPE; d-builtins 7.2 llquantize-parameters */
BEGIN
{
	@ = llquantize(1, pid, 0, 3, 10);
}
