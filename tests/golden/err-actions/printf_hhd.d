/*
 * D_SYNTAX: no prefix hh.
 * @args -x errtags
 */
BEGIN
{
	printf("%hhd", (char)1);
}
