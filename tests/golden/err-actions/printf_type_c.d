/*
 * D_PRINTF_ARG_TYPE: %c takes at most 4 bytes.
 * @args -x errtags
 */
BEGIN
{
	printf("%c", (int64_t)1);
}
