/*
 * Aggregations with different types of keys.
 * @args -x errtags
 */
BEGIN
{
	@a[1] = count();
	@b["x"] = count();
	printa(@a, @b);
}
