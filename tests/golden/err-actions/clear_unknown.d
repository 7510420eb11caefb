/* D_IDENT_UNDEF. */
BEGIN
{
	clear(@a);
}
