/*
 * D_PRINTF_ARG_EXTRA: more arguments than conversions.
 * @args -x errtags
 */
BEGIN
{
	printf("%d", 1, 2);
}
