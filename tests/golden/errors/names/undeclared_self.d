/*
 * A thread-local variable that was never assigned.
 * @args -x errtags
 * @ref d-errors 2.9 D_VAR_UNDEF; d-language 8.2 read-untyped */
BEGIN
{
	trace(self->x);
}
