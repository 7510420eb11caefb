/*
 * A number for an aggregation.
 * @args -x errtags
 */
BEGIN
{
	printa(1);
}
