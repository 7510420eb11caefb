/*
 * A reserved word as a variable.
 * @args -x errtags
 */
BEGIN
{
	while = 1;
}
