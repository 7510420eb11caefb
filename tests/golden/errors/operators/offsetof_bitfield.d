/*
 * The offset of a bit-field.
 * @args -x errtags
 */
BEGIN
{
	trace(offsetof(struct task_struct, in_execve));
}
