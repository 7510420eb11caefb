/*
 * A pointer to void is incremented.
 * @args -x errtags
 */
BEGIN
{
	x = (void *)1;
	x++;
}
