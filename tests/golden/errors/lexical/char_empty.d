/*
 * An empty character constant.
 * @args -x errtags
 */
BEGIN
{
	trace('');
}
