/*
 * D_PRINTF_ARG_TYPE: %Y takes 8 bytes.
 * @args -x errtags
 */
BEGIN
{
	printf("%Y", 1);
}
