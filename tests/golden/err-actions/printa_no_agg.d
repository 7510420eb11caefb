/* D_PRINTA_PROTO: no aggregation. */
BEGIN
{
	printa("a");
}
