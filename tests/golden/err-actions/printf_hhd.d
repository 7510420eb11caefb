/* D_SYNTAX: no prefix hh. */
BEGIN
{
	printf("%hhd", (char)1);
}
