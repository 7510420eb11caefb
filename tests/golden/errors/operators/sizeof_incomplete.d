/*
 * The size of a struct that is only named.
 * @args -x errtags
 */
BEGIN
{
	trace(sizeof(struct no_such_struct));
}
