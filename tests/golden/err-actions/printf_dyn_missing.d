/*
 * D_PRINTF_DYN_PROTO: no argument for *.
 * @args -x errtags
 */
BEGIN
{
	printf("%*d");
}
