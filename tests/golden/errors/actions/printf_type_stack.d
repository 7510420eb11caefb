/*
 * A stack where an integer is wanted.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_TYPE; d-language 6.1 internal-types */
BEGIN
{
	printf("%d", stack());
}
