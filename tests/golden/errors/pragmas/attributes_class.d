/*
 * A class that there is not.
 * @args -x errtags
 * @ref d-errors 2.7 D_PRAGMA_INVAL; d-language 18 attributes-invalid */
#pragma D attributes Stable/Stable/Everywhere x
inline int x = 1;

BEGIN
{
	trace(x);
}
