/*
 * D_SYNTAX: only one precision.
 * @args -x errtags
 */
BEGIN
{
	printf("%.2.3s", "a");
}
