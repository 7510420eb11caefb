/*
 * The second of a list of descriptions matches nothing.
 * @args -x errtags
 */
BEGIN,
nosuch:::
{
}
