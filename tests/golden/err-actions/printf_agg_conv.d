/*
 * D_PRINTF_AGG_CONV: %@ belongs to printa.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_AGG_CONV */
BEGIN
{
	printf("%@d", 1);
}
