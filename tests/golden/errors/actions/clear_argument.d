/*
 * clear() of a number.
 * @args -x errtags
 */
BEGIN
{
	clear(1);
}
