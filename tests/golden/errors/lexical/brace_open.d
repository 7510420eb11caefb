/*
 * A brace that isn't closed before the next clause.
 * @args -x errtags
 */
BEGIN
{
	trace(1);

END
{
	trace(2);
}
