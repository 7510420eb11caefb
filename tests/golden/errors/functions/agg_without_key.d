/*
 * An aggregation once with a key and once without.
 * @args -x errtags
 */
BEGIN
{
	@a = count();
	@a[1] = count();
}
