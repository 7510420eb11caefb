/*
 * D_PRINTF_ARG_PROTO: an argument for .* but none for the conversion.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_PROTO */
BEGIN
{
	printf("%.*s", 3);
}
