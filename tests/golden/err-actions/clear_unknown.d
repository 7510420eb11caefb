/*
 * D_IDENT_UNDEF.
 * @args -x errtags
 */
BEGIN
{
	clear(@a);
}
