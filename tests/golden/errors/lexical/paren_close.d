/*
 * A parenthesis too many.
 * @args -x errtags
 */
BEGIN
{
	trace(1));
}
