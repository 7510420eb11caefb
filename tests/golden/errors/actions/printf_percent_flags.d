/*
 * Flags on %%.
 * @args -x errtags
 */
BEGIN
{
	printf("%-%");
}
