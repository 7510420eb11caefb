/*
 * %s for a key that is an integer.
 * @args -x errtags
 */
BEGIN
{
	@a[1] = count();
	printa("%s %@d\n", @a);
}
