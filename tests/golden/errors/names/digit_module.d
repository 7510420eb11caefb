/*
 * The name of a module may begin with a digit.
 * @args -x errtags
 * @ref d-errors 2.9 D_IDENT_UNDEF; d-language 1.4 digit-module; d-language 14 unknown */
BEGIN
{
	trace(9p`no_such_symbol);
}
