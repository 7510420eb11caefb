/*
 * An aggregation as a statement.
 * @args -x errtags
 */
BEGIN
{
	@z["k"];
}
