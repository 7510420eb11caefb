/*
 * A conversion without an argument.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_PROTO; d-builtins 8.2 too-few */
BEGIN
{
	printf("%d");
}
