/*
 * D_PRINTF_ARG_TYPE: an integer is wanted.
 * @args -x errtags
 */
BEGIN
{
	printf("%d", "a");
}
