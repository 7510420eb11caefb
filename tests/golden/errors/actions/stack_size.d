/*
 * A negative number of frames.
 * @args -x errtags
 */
BEGIN
{
	stack(-1);
}
