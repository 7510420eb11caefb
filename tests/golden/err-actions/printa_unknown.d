/*
 * D_IDENT_UNDEF: an aggregation never seen.
 * @args -x errtags
 */
BEGIN
{
	printa(@a);
}
