/* D_PRINTF_ARG_TYPE: %p takes a pointer or an integer. */
BEGIN
{
	printf("%p", "a");
}
