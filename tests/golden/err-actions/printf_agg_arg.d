/* An aggregation is no argument of printf. */
BEGIN
{
	@a = count(); printf("%d", @a);
}
