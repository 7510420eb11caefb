/*
 * A member that the struct has not.
 * @args -x errtags
 */
BEGIN
{
	trace(curthread->nosuch_member);
}
