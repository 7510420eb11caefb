/*
 * D_PRINTF_ARG_TYPE: %c takes at most 4 bytes.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_TYPE; d-builtins 8.1 c */
BEGIN
{
	printf("%c", (int64_t)1);
}
