/*
 * D_LLQUANT_HMAGTYPE.
 * @args -x errtags
 * @ref d-errors 2.11 D_LLQUANT_HMAGTYPE; d-builtins 7.2 llquantize-parameters */
BEGIN
{
	@ = llquantize(1, 10, 0, pid, 10);
}
