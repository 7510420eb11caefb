/*
 * D_PRINTF_ARG_TYPE: %Y takes 8 bytes.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_TYPE; d-builtins 8.1 Y */
BEGIN
{
	printf("%Y", 1);
}
