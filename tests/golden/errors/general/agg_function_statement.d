/*
 * An aggregating function as a statement of its own.
 * @args -x errtags
 */
BEGIN
{
	count();
}
