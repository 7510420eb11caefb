/*
 * The address of a bit-field.
 * @args -x errtags
 * @ref d-errors 2.4 D_ADDROF_BITFIELD; d-language 9.1 address; d-language 7.5 address */
BEGIN
{
	trace(&curthread->in_execve);
}
