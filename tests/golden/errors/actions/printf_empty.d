/*
 * An empty format.
 * @args -x errtags
 */
BEGIN
{
	printf("");
}
