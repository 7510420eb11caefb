/*
 * D_PRINTF_ARG_PROTO: a conversion without an argument.
 * @args -x errtags
 */
BEGIN
{
	printf("%d and %s", 1);
}
