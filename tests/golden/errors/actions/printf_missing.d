/*
 * A conversion without an argument.
 * @args -x errtags
 */
BEGIN
{
	printf("%d");
}
