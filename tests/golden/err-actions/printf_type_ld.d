/*
 * D_PRINTF_ARG_TYPE: %ld takes exactly long.
 * @args -x errtags
 */
BEGIN
{
	printf("%ld", 1);
}
