/*
 * trace() of an aggregation.
 * @args -x errtags
 */
BEGIN
{
	@q = sum(2);
	trace(@q);
}
