/*
 * A character constant that doesn't end on its line.
 * @args -x errtags
 */
BEGIN
{
	trace('a
	');
}
