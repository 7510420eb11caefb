/*
 * A format but no aggregation.
 * @args -x errtags
 */
BEGIN
{
	printa("a");
}
