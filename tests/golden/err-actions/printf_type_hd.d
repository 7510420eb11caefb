/*
 * D_PRINTF_ARG_TYPE: %hd takes exactly short.
 * @args -x errtags
 */
BEGIN
{
	printf("%hd", 1);
}
