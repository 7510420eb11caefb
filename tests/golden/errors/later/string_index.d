/*
 * A character of a string.
 * @args -x errtags
 */
BEGIN
{
	trace("abc"[1]);
}
