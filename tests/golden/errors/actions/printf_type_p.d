/*
 * D_PRINTF_ARG_TYPE: %p takes a pointer or an integer.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_TYPE; d-builtins 8.1 p */
BEGIN
{
	printf("%p", "a");
}
