/*
 * %@ outside printa().
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_AGG_CONV; d-builtins 8.2 aggregation-conversion; output 7 agg-conversion-in-printf */
BEGIN
{
	printf("%@d", 1);
}
