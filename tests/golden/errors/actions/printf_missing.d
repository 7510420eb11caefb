/*
 * A conversion without an argument.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_PROTO; d-builtins 8.2 too-few; output 7 missing-argument */
BEGIN
{
	printf("%d");
}
