/*
 * Functions newer than the version asked for.
 * @args -x errtags -x version=2.0
 * @ref d-errors 2.3 D_FUNC_UNDEF; d-language 21 unavailable-by-version */
BEGIN
{
	trace(toupper("a"));
}
