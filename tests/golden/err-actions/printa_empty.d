/* D_PRINTF_FMT_EMPTY. */
BEGIN
{
	@a = count(); printa("", @a);
}
