/*
 * A string for exit().
 * @args -x errtags
 */
BEGIN
{
	exit("1");
}
