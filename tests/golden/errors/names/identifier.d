/*
 * A variable that was never assigned.
 * @args -x errtags
 */
BEGIN
{
	x = y + 1;
}
