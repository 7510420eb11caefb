/*
 * A kernel symbol is not known by its bare name.
 * @args -x errtags
 * @ref d-errors 2.9 D_IDENT_UNDEF; d-language 14 no-bare-names */
BEGIN
{
	trace(jiffies);
}
