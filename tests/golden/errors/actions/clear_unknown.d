/*
 * D_IDENT_UNDEF.
 * @args -x errtags
 * @ref d-errors 2.9 D_IDENT_UNDEF */
BEGIN
{
	clear(@a);
}
