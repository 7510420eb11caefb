/*
 * D_PRINTF_ARG_TYPE: char * is no string.
 * @args -x errtags
 */
BEGIN
{
	printf("%s", (char *)arg0);
}
