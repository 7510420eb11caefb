/*
 * The size of void.
 * @args -x errtags
 */
BEGIN
{
	trace(sizeof(void));
}
