/*
 * A string that doesn't end on its line.
 * @args -x errtags
 */
BEGIN
{
	trace("abc
	");
}
