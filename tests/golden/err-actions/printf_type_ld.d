/* D_PRINTF_ARG_TYPE: %ld takes exactly long. */
BEGIN
{
	printf("%ld", 1);
}
