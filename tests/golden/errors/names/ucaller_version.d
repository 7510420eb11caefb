/*
 * Variables newer than the version asked for.
 * @args -x errtags -x nolibs -x version=1.1
 * @ref d-errors 2.9 D_IDENT_UNDEF; d-language 20 identifiers-unavailable */
BEGIN
{
	trace(ucaller);
}
