/* D_PRINTF_ARG_TYPE: an integer is wanted. */
BEGIN
{
	printf("%d", "a");
}
