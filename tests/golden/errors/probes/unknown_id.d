/*
 * An id that no probe has.
 * @args -x errtags
 */
4294967295
{
}
