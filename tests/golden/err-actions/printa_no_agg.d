/*
 * D_PRINTA_PROTO: no aggregation.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTA_PROTO */
BEGIN
{
	printa("a");
}
