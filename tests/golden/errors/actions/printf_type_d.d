/*
 * D_PRINTF_ARG_TYPE: an integer is wanted.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_TYPE */
BEGIN
{
	printf("%d", "a");
}
