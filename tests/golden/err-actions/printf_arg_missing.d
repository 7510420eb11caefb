/* D_PRINTF_ARG_PROTO: a conversion without an argument. */
BEGIN
{
	printf("%d and %s", 1);
}
