/*
 * D_IDENT_UNDEF: an aggregation never seen.
 * @args -x errtags
 * @ref d-errors 2.9 D_IDENT_UNDEF */
BEGIN
{
	printa(@a);
}
