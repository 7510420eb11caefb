/*
 * More than four parts.
 * @args -x errtags
 */
a:b:c:d:e
{
}
