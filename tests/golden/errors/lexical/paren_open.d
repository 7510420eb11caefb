/*
 * A parenthesis that isn't closed.
 * @args -x errtags
 */
BEGIN
{
	trace((1);
}
