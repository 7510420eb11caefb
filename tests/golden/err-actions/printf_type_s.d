/*
 * D_PRINTF_ARG_TYPE: a string is wanted.
 * @args -x errtags
 */
BEGIN
{
	printf("%s", 1);
}
