/*
 * An unknown function.
 * @args -x errtags
 */
BEGIN
{
	nosuch();
}
