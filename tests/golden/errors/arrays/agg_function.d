/*
 * A number is assigned to an aggregation.
 * @args -x errtags
 */
BEGIN
{
	@a = 1;
}
