/*
 * A string for an integer, in the second place.
 * @args -x errtags
 */
BEGIN
{
	trace(substr("abc", "b"));
}
