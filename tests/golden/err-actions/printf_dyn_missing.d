/* D_PRINTF_DYN_PROTO: no argument for *. */
BEGIN
{
	printf("%*d");
}
