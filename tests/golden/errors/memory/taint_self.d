/*
 * Thread-local variables too.
 * @args -x errtags
 * @ref d-language 11.3 taint
 * @ref d-errors 2.10 D_ALLOCA_INCOMPAT
 */
BEGIN
{
	self->x = (char *)copyin(0, 8);
	self->x = curthread->comm;
}
