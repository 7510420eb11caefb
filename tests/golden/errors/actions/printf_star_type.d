/*
 * A string for a *.
 * @args -x errtags
 */
BEGIN
{
	printf("%*d", "a", 1);
}
