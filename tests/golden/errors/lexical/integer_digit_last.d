/*
 * An 8 in the last place of an octal constant.
 * @args -x errtags
 */
BEGIN
{
	trace(0128);
}
