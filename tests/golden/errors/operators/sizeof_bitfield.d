/*
 * The size of a bit-field.
 * @args -x errtags
 */
BEGIN
{
	trace(sizeof(curthread->in_execve));
}
