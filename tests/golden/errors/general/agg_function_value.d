/*
 * An aggregating function as a value.
 * @args -x errtags
 */
BEGIN
{
	x = count();
}
