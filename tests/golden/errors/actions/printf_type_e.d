/*
 * D_PRINTF_ARG_TYPE: %e takes floating point only.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_TYPE; d-builtins 8.1 e-f-g */
BEGIN
{
	printf("%e", 1);
}
