/*
 * A stability that there is not.
 * @args -x errtags
 * @ref d-errors 2.7 D_PRAGMA_INVAL; d-language 18 attributes-invalid */
#pragma D attributes Steady/Stable/Common x
inline int x = 1;

BEGIN
{
	trace(x);
}
