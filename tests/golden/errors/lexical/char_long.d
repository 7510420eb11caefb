/*
 * A character constant of nine bytes.
 * @args -x errtags
 */
BEGIN
{
	trace('123456789');
}
