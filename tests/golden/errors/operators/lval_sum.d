/*
 * A sum is assigned to.
 * @args -x errtags
 */
BEGIN
{
	x = 1;
	x + 1 = 2;
}
