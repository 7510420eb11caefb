/*
 * A predicate that is an action.
 * @args -x errtags
 */
BEGIN
/trace(1)/
{
}
