/*
 * The address of a thread-local variable.
 * @args -x errtags
 * @ref d-errors 2.4 D_ADDROF_VAR; d-language 9.1 address */
BEGIN
{
	self->x = 1;
	trace(&self->x);
}
