/*
 * Functions newer than the version asked for.
 * @args -x errtags -x nolibs -x version=1.5
 * @ref d-errors 2.3 D_FUNC_UNDEF; d-language 20 identifiers-unavailable */
BEGIN
{
	@ = stddev(1);
}
