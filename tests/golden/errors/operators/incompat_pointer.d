/*
 * Pointers to different types.
 * @args -x errtags
 */
BEGIN
{
	x = (int *)0;
	x = (char *)1;
}
