/*
 * Aggregations with different numbers of keys.
 * @args -x errtags
 */
BEGIN
{
	@a[1] = count();
	@b[1, 2] = count();
	printa(@a, @b);
}
