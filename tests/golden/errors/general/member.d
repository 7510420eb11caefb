/*
 * A member that the struct has not.
 * @args -x errtags
 * @ref d-errors 2.1 D_TYPE_MEMBER */
BEGIN
{
	trace(curthread->nosuch_member);
}
