/*
 * Statements without a ; between them.
 * @args -x errtags
 */
BEGIN
{
	x = 1
	y = 2
}
