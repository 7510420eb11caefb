/*
 * A module that there is not.
 * @args -x errtags
 * @ref d-errors 2.7 D_PRAGMA_DEPEND; d-language 18 depends-on-absent; cli 7 program-requires */
#pragma D depends_on module nosuch

BEGIN
{
	trace(1);
}
