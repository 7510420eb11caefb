/*
 * An offset in what is no struct.
 * @args -x errtags
 */
BEGIN
{
	trace(offsetof(int, x));
}
