/*
 * D_PRINTF_ARG_TYPE: a distribution is no time; the last aggregation repeats.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_TYPE */
BEGIN
{
	@t = max(walltimestamp); @q = quantize(1); printa("%@Y %@d %@Y", @t, @q);
}
