/*
 * A pointer to void is added to.
 * @args -x errtags
 */
BEGIN
{
	x = (void *)1;
	x += 1;
}
