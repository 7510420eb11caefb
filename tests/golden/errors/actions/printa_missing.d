/*
 * A format but no aggregation.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTA_PROTO; d-builtins 7.4 no-aggregation */
BEGIN
{
	printa("a");
}
