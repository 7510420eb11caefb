/*
 * An argument too many.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_EXTRA; d-builtins 8.2 too-many; output 7 extra-argument */
BEGIN
{
	printf("%d", 1, 2);
}
