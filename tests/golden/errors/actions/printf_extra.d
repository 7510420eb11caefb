/*
 * An argument too many.
 * @args -x errtags
 */
BEGIN
{
	printf("%d", 1, 2);
}
