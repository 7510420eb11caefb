/* D_SYNTAX: only one precision. */
BEGIN
{
	printf("%.2.3s", "a");
}
