/*
 * D_PRINTF_ARG_TYPE: %S takes a string.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_TYPE; d-builtins 8.1 S */
BEGIN
{
	printf("%S", curthread);
}
