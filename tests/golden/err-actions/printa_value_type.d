/* D_PRINTF_ARG_TYPE: of a value. */
BEGIN
{
	@a = count(); printa("%@s", @a);
}
