/*
 * A stack is no value.
 * @args -x errtags
 */
BEGIN
{
	trace(stack());
}
