/*
 * A thread-local variable that was never assigned.
 * @args -x errtags
 */
BEGIN
{
	trace(self->x);
}
