/*
 * An aggregation that was never assigned.
 * @args -x errtags
 */
BEGIN
{
	printa(@nosuch);
}
