/*
 * An id beyond 32 bits.
 * @args -x errtags
 */
4294967297
{
}
