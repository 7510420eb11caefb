/*
 * D_PRINTF_ARG_PROTO: more conversions than keys.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_PROTO */
BEGIN
{
	@a[1] = count(); printa("%d %d %@d", @a);
}
