/*
 * Functions that are yet to come.
 * @args -x errtags
 */
BEGIN
{
	trace(strchr("abc", 'b'));
}
