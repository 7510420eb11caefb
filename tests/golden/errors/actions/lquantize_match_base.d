/*
 * D_LQUANT_MATCHBASE.
 * @args -x errtags
 * @ref d-errors 2.11 D_LQUANT_MATCHBASE; d-builtins 7.2 lquantize-match; d-language 15 parameters-match */
BEGIN
{
	@ = lquantize(1, 0, 10); @ = lquantize(1, 1, 10);
}
