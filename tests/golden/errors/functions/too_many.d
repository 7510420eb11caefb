/*
 * Two arguments where one is expected.
 * @args -x errtags
 */
BEGIN
{
	trace(strlen("a", "b"));
}
