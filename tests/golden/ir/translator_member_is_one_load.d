/*
 * A translated object has no bytes: curpsinfo->pr_pid is one load of the task's member.
 * @only maps reserved
 */
BEGIN
{
	trace(curpsinfo->pr_pid);
}
