/*
 * No frames at all.
 * @args -x errtags
 */
BEGIN
{
	ustack(0);
}
