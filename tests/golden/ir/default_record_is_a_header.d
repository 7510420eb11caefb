/*
 * An empty clause records its header of eight bytes.
 * @only body reserved
 */
BEGIN
{
}
