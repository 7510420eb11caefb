/* D_SYNTAX: the format ends within a conversion. */
BEGIN
{
	printf("abc %");
}
