/*
 * A number of frames that isn't constant.
 * @args -x errtags
 */
BEGIN
{
	stack(pid);
}
