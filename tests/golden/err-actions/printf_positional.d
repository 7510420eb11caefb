/*
 * D_SYNTAX: no positional arguments.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX */
BEGIN
{
	printf("%1$d", 1);
}
