/*
 * D_PRINTF_ARG_TYPE: only min() and max() may be times, not the count that is shown by the second conversion.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_TYPE */
BEGIN
{
	@t = min(walltimestamp); @a = count(); printa("%@Y %@T", @t, @a);
}
