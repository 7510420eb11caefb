/*
 * A macro variable is assigned to.
 * @args -x errtags
 */
BEGIN
{
	$pid = 4;
}
