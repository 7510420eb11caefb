/* A void argument. */
BEGIN
{
	printf("%d", (void)1);
}
