/*
 * D_PRINTF_ARG_TYPE: of a key.
 * @args -x errtags
 */
BEGIN
{
	@a["x"] = count(); printa("%d %@d", @a);
}
