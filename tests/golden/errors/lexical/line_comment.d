/*
 * Two slashes are no comment.
 * @args -x errtags
 */
BEGIN
{
	trace(1); // one
}
