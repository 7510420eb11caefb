/*
 * Attributes of nothing.
 * @args -x errtags
 * @ref d-errors 2.7 D_PRAGMA_MALFORM; d-language 18 attributes-malformed */
#pragma D attributes Stable/Stable/Common

BEGIN
{
	trace(1);
}
