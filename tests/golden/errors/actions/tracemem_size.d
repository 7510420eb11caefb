/*
 * No bytes at all.
 * @args -x errtags
 */
BEGIN
{
	tracemem(0, 0);
}
