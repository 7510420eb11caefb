/*
 * D_SYNTAX: the format ends within a conversion.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX */
BEGIN
{
	printf("abc %");
}
