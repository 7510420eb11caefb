/*
 * D_LLQUANT_LMAGTYPE.
 * @args -x errtags
 * @ref d-errors 2.11 D_LLQUANT_LMAGTYPE; d-builtins 7.2 llquantize-parameters */
BEGIN
{
	@ = llquantize(1, 10, pid, 3, 10);
}
