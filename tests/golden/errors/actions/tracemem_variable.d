/*
 * A size that isn't constant.
 * @args -x errtags
 */
BEGIN
{
	tracemem(0, pid);
}
