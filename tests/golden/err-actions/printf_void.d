/*
 * A void argument.
 * @args -x errtags
 */
BEGIN
{
	printf("%d", (void)1);
}
