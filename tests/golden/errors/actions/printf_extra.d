/*
 * An argument too many.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_EXTRA; d-builtins 8.2 too-many */
BEGIN
{
	printf("%d", 1, 2);
}
