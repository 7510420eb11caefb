/*
 * Strings side by side don't join.
 * @args -x errtags
 */
BEGIN
{
	trace("a" "b");
}
