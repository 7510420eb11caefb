/*
 * Nor does it a thread-local one.
 * @args -x errtags
 */
BEGIN
{
	self->x -= 1;
}
