/*
 * Another aggregating function for the same name.
 * @args -x errtags
 */
BEGIN
{
	@a = count();
	@a = sum(1);
}
