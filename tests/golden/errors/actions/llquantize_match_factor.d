/*
 * D_LLQUANT_MATCHFACTOR.
 * @args -x errtags
 * @ref d-errors 2.11 D_LLQUANT_MATCHFACTOR; d-builtins 7.2 llquantize-match; d-language 15 parameters-match */
BEGIN
{
	@ = llquantize(1, 10, 0, 3, 10); @ = llquantize(1, 2, 0, 3, 2);
}
