/*
 * -> on a pointer to an integer.
 * @args -x errtags
 */
BEGIN
{
	x = (int *)0;
	trace(x->y);
}
