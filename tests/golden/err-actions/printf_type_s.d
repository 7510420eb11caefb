/* D_PRINTF_ARG_TYPE: a string is wanted. */
BEGIN
{
	printf("%s", 1);
}
