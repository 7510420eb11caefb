/*
 * A built-in variable is incremented.
 * @args -x errtags
 */
BEGIN
{
	timestamp++;
}
