/*
 * A mean has no share in a total.
 * @args -x errtags
 */
BEGIN
{
	@a[1] = avg(1);
	printa("%d %@r\n", @a);
}
