/*
 * More keys than the aggregation was first used with.
 * @args -x errtags
 */
BEGIN
{
	@a[1] = count();
	@a[1, 2] = count();
}
