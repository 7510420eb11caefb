/* D_PRINTF_ARG_PROTO: an argument for .* but none for the conversion. */
BEGIN
{
	printf("%.*s", 3);
}
