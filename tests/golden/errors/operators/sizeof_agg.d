/*
 * The size of an aggregation.
 * @args -x errtags
 */
BEGIN
{
	@a = count();
	trace(sizeof(@a));
}
