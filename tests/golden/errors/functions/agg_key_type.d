/*
 * An integer for the string key of an aggregation.
 * @args -x errtags
 */
BEGIN
{
	@a["x"] = count();
	@a[1] = count();
}
