/*
 * D_LLQUANT_MATCHLMAG.
 * @args -x errtags
 * @ref d-errors 2.11 D_LLQUANT_MATCHLMAG; d-builtins 7.2 llquantize-match; d-language 15 parameters-match */
BEGIN
{
	@ = llquantize(1, 10, 0, 3, 10); @ = llquantize(1, 10, 1, 3, 10);
}
