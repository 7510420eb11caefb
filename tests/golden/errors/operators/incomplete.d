/*
 * A member of a struct that is only named.
 * @args -x errtags
 */
struct no_such_struct;

BEGIN
{
	trace(((struct no_such_struct *)0)->a);
}
