/*
 * An unknown conversion.
 * @args -x errtags
 */
BEGIN
{
	printf("%z", 1);
}
