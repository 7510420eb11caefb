/*
 * D_LLQUANT_HMAGVAL: more than 64 bits.
 * @args -x errtags
 * @ref d-errors 2.11 D_LLQUANT_HMAGVAL; d-builtins 7.2 llquantize-parameters */
BEGIN
{
	@ = llquantize(1, 10, 0, 19, 10);
}
