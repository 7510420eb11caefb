/*
 * Kernel symbols.
 * @args -x errtags
 */
BEGIN
{
	trace(`jiffies);
}
