/*
 * clear() of an aggregation that was never assigned.
 * @args -x errtags
 */
BEGIN
{
	clear(@nosuch);
}
