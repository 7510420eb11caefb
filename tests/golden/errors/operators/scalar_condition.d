/*
 * A string as the condition of ?:.
 * @args -x errtags
 */
BEGIN
{
	trace("a" ? 1 : 2);
}
