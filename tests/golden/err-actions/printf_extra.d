/* D_PRINTF_ARG_EXTRA: more arguments than conversions. */
BEGIN
{
	printf("%d", 1, 2);
}
