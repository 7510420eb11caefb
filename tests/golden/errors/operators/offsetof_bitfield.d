/*
 * The offset of a bit-field.
 * @args -x errtags
 * @ref d-errors 2.4 D_OFFSETOF_BITFIELD; d-language 9.1 offsetof; d-language 7.5 offsetof */
BEGIN
{
	trace(offsetof(struct task_struct, in_execve));
}
