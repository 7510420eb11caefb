/* printa takes all of an aggregation. */
BEGIN
{
	@a[1] = count(); printa(@a[1]);
}
