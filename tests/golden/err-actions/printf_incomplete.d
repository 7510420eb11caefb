/*
 * D_SYNTAX: the format ends within a conversion.
 * @args -x errtags
 */
BEGIN
{
	printf("abc %");
}
