/*
 * An inline is no action.
 * @args -x errtags
 * @ref d-language 13 actions */
inline int x = trace(1);

BEGIN
{
	trace(x);
}
