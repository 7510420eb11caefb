/*
 * An aggregation is no argument of printf.
 * @args -x errtags
 */
BEGIN
{
	@a = count(); printf("%d", @a);
}
