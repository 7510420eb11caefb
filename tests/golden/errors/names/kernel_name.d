/*
 * A kernel symbol is not known by its bare name.
 * @args -x errtags
 */
BEGIN
{
	trace(jiffies);
}
