/*
 * Attributes of what is never defined.
 * @args -x errtags
 * @ref d-errors 2.7 D_PRAGMA_UNUSED; d-language 18 attributes-unused */
#pragma D attributes Stable/Stable/Common nosuch

BEGIN
{
	trace(1);
}
