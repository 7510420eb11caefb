/*
 * An integer is assigned to a string.
 * @args -x errtags
 */
BEGIN
{
	x = "a";
	x = 1;
}
