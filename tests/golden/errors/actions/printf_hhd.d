/*
 * D_SYNTAX: no prefix hh.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; output 7 hh-undefined */
BEGIN
{
	printf("%hhd", (char)1);
}
