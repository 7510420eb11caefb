/*
 * A string operand of *=.
 * @args -x errtags
 */
BEGIN
{
	x = 1;
	x *= "a";
}
