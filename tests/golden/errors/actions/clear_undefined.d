/*
 * clear() of an aggregation that was never assigned.
 * @args -x errtags
 * @ref d-errors 2.9 D_IDENT_UNDEF; d-errors 2.10 unknown-aggregation */
BEGIN
{
	clear(@nosuch);
}
