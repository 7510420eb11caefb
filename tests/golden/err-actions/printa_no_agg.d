/*
 * D_PRINTA_PROTO: no aggregation.
 * @args -x errtags
 */
BEGIN
{
	printa("a");
}
