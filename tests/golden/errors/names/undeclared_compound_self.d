/*
 * Nor does it a thread-local one.
 * @args -x errtags
 * @ref d-errors 2.9 D_VAR_UNDEF; d-language 8.2 compound-does-not */
BEGIN
{
	self->x -= 1;
}
