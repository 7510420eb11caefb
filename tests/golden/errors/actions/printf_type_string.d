/*
 * A string for %d, in the second place.
 * @args -x errtags
 */
BEGIN
{
	printf("%d %d", 1, "a");
}
