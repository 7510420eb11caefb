/*
 * self is no value.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 8.1 scope-alone */
BEGIN
{
	trace(self);
}
