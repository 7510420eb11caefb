/* D_PRINTF_AGG_CONV: %@ belongs to printa. */
BEGIN
{
	printf("%@d", 1);
}
