/*
 * A string is cast to an integer.
 * @args -x errtags
 */
BEGIN
{
	trace((int)"a");
}
