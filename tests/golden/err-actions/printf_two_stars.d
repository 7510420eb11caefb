/*
 * D_SYNTAX: only one *.
 * @args -x errtags
 */
BEGIN
{
	printf("%**d", 1, 2, 3);
}
