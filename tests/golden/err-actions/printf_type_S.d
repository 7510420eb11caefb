/* D_PRINTF_ARG_TYPE: %S takes a string. */
BEGIN
{
	printf("%S", curthread);
}
