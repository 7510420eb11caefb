/*
 * Statements without a ; between them.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 3 statements-separated */
BEGIN
{
	x = 1
	y = 2
}
