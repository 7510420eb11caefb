/*
 * A variable for an aggregation, after a format.
 * @args -x errtags
 */
BEGIN
{
	x = 1;
	printa("%d", x);
}
