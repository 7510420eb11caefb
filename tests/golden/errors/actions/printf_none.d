/*
 * No format.
 * @args -x errtags
 */
BEGIN
{
	printf();
}
