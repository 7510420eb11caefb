/*
 * A long where a wide character is wanted.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_TYPE; d-builtins 8.1 wide */
BEGIN
{
	printf("%lc", 1l);
}
