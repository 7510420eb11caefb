/*
 * A cast to a struct.
 * @args -x errtags
 */
BEGIN
{
	trace((struct task_struct)1);
}
