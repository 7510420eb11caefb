/*
 * No argument for a *.
 * @args -x errtags
 */
BEGIN
{
	printf("%*d");
}
