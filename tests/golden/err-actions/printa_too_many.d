/* D_PRINTF_ARG_PROTO: more conversions than keys. */
BEGIN
{
	@a[1] = count(); printa("%d %d %@d", @a);
}
