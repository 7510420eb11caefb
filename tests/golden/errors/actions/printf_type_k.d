/*
 * D_PRINTF_ARG_TYPE: %k takes a stack.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_TYPE; d-builtins 8.1 k */
BEGIN
{
	printf("%k", 1);
}
