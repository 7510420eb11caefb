/*
 * A 9 in an octal constant.
 * @args -x errtags
 */
BEGIN
{
	trace(019);
}
