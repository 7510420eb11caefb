/*
 * D_PRINTF_ARG_TYPE: of a key.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_TYPE */
BEGIN
{
	@a["x"] = count(); printa("%d %@d", @a);
}
