/*
 * %c of eight bytes.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_TYPE; d-builtins 8.1 c */
BEGIN
{
	printf("%c", timestamp);
}
