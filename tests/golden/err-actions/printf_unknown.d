/*
 * D_SYNTAX: no such conversion.
 * @args -x errtags
 */
BEGIN
{
	printf("%y", 1);
}
