/*
 * %r is for aggregations.
 * @args -x errtags
 */
BEGIN
{
	printf("%r\n", 1);
}
