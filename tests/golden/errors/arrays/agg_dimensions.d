/*
 * Two brackets.
 * @args -x errtags
 */
BEGIN
{
	@a[1][2] = count();
}
