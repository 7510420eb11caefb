/*
 * A constant is incremented.
 * @args -x errtags
 */
BEGIN
{
	3++;
}
