/*
 * D_PRINTF_ARG_TYPE: of a value.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_TYPE; output 8.2 string-conversion */
BEGIN
{
	@a = count(); printa("%@s", @a);
}
