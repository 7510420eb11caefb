/*
 * D_PRINTF_AGG_CONV: %@ belongs to printa.
 * @args -x errtags
 */
BEGIN
{
	printf("%@d", 1);
}
