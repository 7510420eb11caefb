/*
 * A thread-local variable is in task storage: no hash of thread ids.
 * @only maps body nonnull
 */
BEGIN
{
	self->x = 1;
}
