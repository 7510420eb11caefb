/*
 * D_PRINTF_ARG_TYPE: %k takes a stack.
 * @args -x errtags
 */
BEGIN
{
	printf("%k", 1);
}
