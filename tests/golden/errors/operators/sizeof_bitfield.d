/*
 * The size of a bit-field.
 * @args -x errtags
 * @ref d-errors 2.4 D_SIZEOF_BITFIELD; d-language 7.5 sizeof; d-language 9.1 sizeof */
BEGIN
{
	trace(sizeof(curthread->in_execve));
}
