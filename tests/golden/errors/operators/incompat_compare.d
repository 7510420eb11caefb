/*
 * A string is compared with an integer.
 * @args -x errtags
 */
BEGIN
{
	trace("a" == 1);
}
