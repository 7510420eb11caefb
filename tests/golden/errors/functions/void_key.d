/*
 * A void key.
 * @args -x errtags
 */
BEGIN
{
	@[(void)0] = count();
}
