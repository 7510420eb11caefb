/*
 * A stack is a key of aggregations only.
 * @args -x errtags
 */
BEGIN
{
	a[stack()] = 1;
}
