/*
 * D_PRINTF_ARG_TYPE: of a value.
 * @args -x errtags
 */
BEGIN
{
	@a = count(); printa("%@s", @a);
}
