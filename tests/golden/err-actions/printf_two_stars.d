/* D_SYNTAX: only one *. */
BEGIN
{
	printf("%**d", 1, 2, 3);
}
