/*
 * D_PRINTF_DYN_PROTO: no argument for *.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_DYN_PROTO */
BEGIN
{
	printf("%*d");
}
