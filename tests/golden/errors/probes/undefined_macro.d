/*
 * An operand that was not given, in a description.
 * @args -x errtags
 */
dtrace:::$1
{
}
