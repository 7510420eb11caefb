/*
 * D_SYNTAX: no positional arguments.
 * @args -x errtags
 */
BEGIN
{
	printf("%1$d", 1);
}
