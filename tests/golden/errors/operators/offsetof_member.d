/*
 * The offset of a member that isn't there.
 * @args -x errtags
 * @ref d-errors 2.1 D_TYPE_MEMBER; d-language 9.1 offsetof */
BEGIN
{
	trace(offsetof(struct task_struct, no_such_member));
}
