/*
 * %@ outside printa().
 * @args -x errtags
 */
BEGIN
{
	printf("%@d", 1);
}
