/*
 * D_PRINTF_ARG_TYPE: %p takes a pointer or an integer.
 * @args -x errtags
 */
BEGIN
{
	printf("%p", "a");
}
