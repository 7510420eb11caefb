/* D_PRINTF_ARG_TYPE: of a key. */
BEGIN
{
	@a["x"] = count(); printa("%d %@d", @a);
}
