/*
 * A version of what is never defined.
 * @args -x errtags
 * @ref d-errors 2.7 D_PRAGMA_UNUSED; d-language 18 binding */
#pragma D binding "1.0" nosuch

BEGIN
{
	trace(1);
}
