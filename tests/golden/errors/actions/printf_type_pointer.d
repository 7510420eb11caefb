/*
 * A pointer to char for %s.
 * @args -x errtags
 */
BEGIN
{
	printf("%s", (char *)0);
}
