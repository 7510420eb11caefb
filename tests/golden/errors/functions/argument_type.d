/*
 * An integer for a string.
 * @args -x errtags
 */
BEGIN
{
	trace(strlen(3));
}
