/*
 * The end of the input inside a clause.
 * @args -x errtags
 */
BEGIN
{
	trace(1)
