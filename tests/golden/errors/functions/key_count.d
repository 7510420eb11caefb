/*
 * Fewer keys than the array was first used with.
 * @args -x errtags
 */
BEGIN
{
	a[1, 2] = 3;
	a[1] = 3;
}
