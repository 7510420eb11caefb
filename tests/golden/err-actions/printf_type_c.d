/* D_PRINTF_ARG_TYPE: %c takes at most 4 bytes. */
BEGIN
{
	printf("%c", (int64_t)1);
}
