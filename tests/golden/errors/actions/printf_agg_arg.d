/*
 * An aggregation is no argument of printf.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_TYPE; d-builtins 8.2 void-and-dynamic */
BEGIN
{
	@a = count(); printf("%d", @a);
}
