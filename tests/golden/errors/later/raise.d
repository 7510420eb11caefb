/*
 * Destructive actions.
 * @args -x errtags
 */
BEGIN
{
	raise(9);
}
