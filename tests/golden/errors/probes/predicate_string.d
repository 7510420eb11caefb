/*
 * A predicate that is a string.
 * @args -x errtags
 */
BEGIN
/"a"/
{
}
