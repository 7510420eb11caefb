/*
 * A predicate that isn't closed.
 * @args -x errtags
 */
BEGIN
/1
{
	trace(1);
}
