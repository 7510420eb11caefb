/*
 * D_PRINTF_ARG_PROTO: a conversion without an argument.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_PROTO */
BEGIN
{
	printf("%d and %s", 1);
}
