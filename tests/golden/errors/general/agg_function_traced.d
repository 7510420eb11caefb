/*
 * An aggregating function as an argument of trace().
 * @args -x errtags
 */
BEGIN
{
	trace(count());
}
