/*
 * Attributes of a part that providers have not.
 * @args -x errtags
 * @ref d-errors 2.7 D_PRAGMA_MALFORM; d-language 18 provider-attributes-bad */
#pragma D attributes Stable/Stable/Common provider dtrace nosuch

BEGIN
{
	trace(1);
}
