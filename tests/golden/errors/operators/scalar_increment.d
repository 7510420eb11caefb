/*
 * A string operand of ++.
 * @args -x errtags
 */
BEGIN
{
	x = "a";
	x++;
}
