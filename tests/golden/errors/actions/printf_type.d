/*
 * An integer for %s.
 * @args -x errtags
 */
BEGIN
{
	printf("%s", 1);
}
