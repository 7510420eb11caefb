/*
 * A program depends on no library.
 * @args -x errtags
 * @ref d-errors 2.7 D_PRAGMA_DEPEND; d-language 18 depends-on-library; cli 7 program-on-library */
#pragma D depends_on library procfs.d

BEGIN
{
	trace(1);
}
