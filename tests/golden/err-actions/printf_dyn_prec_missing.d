/*
 * D_PRINTF_ARG_PROTO: an argument for .* but none for the conversion.
 * @args -x errtags
 */
BEGIN
{
	printf("%.*s", 3);
}
