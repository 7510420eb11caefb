/*
 * The address of a thread-local variable.
 * @args -x errtags
 */
BEGIN
{
	self->x = 1;
	trace(&self->x);
}
