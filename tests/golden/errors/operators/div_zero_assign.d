/*
 * /= by 0.
 * @args -x errtags
 */
BEGIN
{
	x = 1;
	x /= 0;
}
