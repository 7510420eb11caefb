/* D_PRINTF_ARG_TYPE: %k takes a stack. */
BEGIN
{
	printf("%k", 1);
}
