/*
 * D_PRINTF_ARG_TYPE: %hd takes exactly short.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_TYPE; d-builtins 8.1 h; output 7 prefix-must-match */
BEGIN
{
	printf("%hd", 1);
}
