/*
 * A brace that isn't closed before the next clause.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX */
BEGIN
{
	trace(1);

END
{
	trace(2);
}
