/*
 * A constant is assigned to.
 * @args -x errtags
 */
BEGIN
{
	3 = 4;
}
