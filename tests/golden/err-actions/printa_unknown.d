/* D_IDENT_UNDEF: an aggregation never seen. */
BEGIN
{
	printa(@a);
}
