/*
 * A reserved word after -> is a member's name, if of none here.
 * @args -x errtags
 * @ref d-errors 2.1 D_TYPE_MEMBER; d-language 1.4 reserved-as-members */
BEGIN
{
	trace(curthread->while);
}
