/*
 * The branch of ?: that a constant leaves out is checked too.
 * @args -x errtags
 * @ref d-errors 2.9 D_IDENT_UNDEF; d-language 6.5 both-branches-checked */
BEGIN
{
	trace(1 ? 2 : nosuch);
}
