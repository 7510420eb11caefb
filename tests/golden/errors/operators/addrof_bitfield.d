/*
 * The address of a bit-field.
 * @args -x errtags
 */
BEGIN
{
	trace(&curthread->in_execve);
}
