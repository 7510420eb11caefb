/*
 * A string is assigned to an integer.
 * @args -x errtags
 */
BEGIN
{
	x = 1;
	x = "a";
}
