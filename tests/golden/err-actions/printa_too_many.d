/*
 * D_PRINTF_ARG_PROTO: more conversions than keys.
 * @args -x errtags
 */
BEGIN
{
	@a[1] = count(); printa("%d %d %@d", @a);
}
