/*
 * A string for an address.
 * @args -x errtags
 */
BEGIN
{
	tracemem("a", 5);
}
