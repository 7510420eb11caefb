/*
 * D_PRINTF_ARG_TYPE: %S takes a string.
 * @args -x errtags
 */
BEGIN
{
	printf("%S", curthread);
}
