/*
 * A string is added to an integer.
 * @args -x errtags
 */
BEGIN
{
	x = 1;
	x += "a";
}
