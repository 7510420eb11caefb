/*
 * An element of an array that was never assigned.
 * @args -x errtags
 */
BEGIN
{
	trace(q[1]);
}
