/*
 * * on a pointer to void.
 * @args -x errtags
 */
BEGIN
{
	trace(*(void *)arg0);
}
