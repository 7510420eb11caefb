/*
 * D_PRINTF_FMT_EMPTY.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_FMT_EMPTY */
BEGIN
{
	@a = count(); printa("", @a);
}
