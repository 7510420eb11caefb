/*
 * An aggregation that was never assigned.
 * @args -x errtags
 * @ref d-errors 2.9 D_IDENT_UNDEF; d-language 15 undefined; d-errors 2.10 unknown-aggregation; d-builtins 7.4 never-assigned */
BEGIN
{
	printa(@nosuch);
}
