/*
 * xlate.
 * @args -x errtags
 */
BEGIN
{
	trace(xlate <struct task_struct> (1).pid);
}
