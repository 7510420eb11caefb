/*
 * The sum of two strings.
 * @args -x errtags
 */
BEGIN
{
	trace("a" + "b");
}
