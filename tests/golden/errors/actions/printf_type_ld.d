/*
 * D_PRINTF_ARG_TYPE: %ld takes exactly long.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_TYPE; d-builtins 8.1 l; output 7 prefix-must-match */
BEGIN
{
	printf("%ld", 1);
}
