/*
 * normalize() of a number.
 * @args -x errtags
 */
BEGIN
{
	normalize(1, 2);
}
