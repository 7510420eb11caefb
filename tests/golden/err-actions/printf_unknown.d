/* D_SYNTAX: no such conversion. */
BEGIN
{
	printf("%y", 1);
}
