/*
 * D_PRINTF_ARG_EXTRA: more arguments than conversions.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_EXTRA */
BEGIN
{
	printf("%d", 1, 2);
}
