/*
 * The sum of strings.
 * @args -x errtags
 */
BEGIN
{
	@ = sum("a");
}
