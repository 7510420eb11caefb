/*
 * D_PRINTF_ARG_TYPE: char * is no string.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_TYPE; d-language 10.5 printf-char-pointer */
BEGIN
{
	printf("%s", (char *)arg0);
}
