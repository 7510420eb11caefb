/*
 * A character that D doesn't know.
 * @args -x errtags
 */
BEGIN
{
	trace(1 # 2);
}
