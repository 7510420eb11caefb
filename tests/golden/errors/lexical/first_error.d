/*
 * The first of several errors is the one reported.
 * @args -x errtags
 */
BEGIN
{
	trace(nosuch);
}

END
{
	trace(1 / 0);
	trace(strlen());
}
