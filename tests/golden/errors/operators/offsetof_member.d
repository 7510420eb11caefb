/*
 * The offset of a member that isn't there.
 * @args -x errtags
 */
BEGIN
{
	trace(offsetof(struct task_struct, no_such_member));
}
