/* D_PRINTF_ARG_TYPE: %Y takes 8 bytes. */
BEGIN
{
	printf("%Y", 1);
}
