/*
 * The address of an aggregation.
 * @args -x errtags
 */
BEGIN
{
	@a = count();
	trace(&@a);
}
