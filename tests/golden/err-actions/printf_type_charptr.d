/* D_PRINTF_ARG_TYPE: char * is no string. */
BEGIN
{
	printf("%s", (char *)arg0);
}
