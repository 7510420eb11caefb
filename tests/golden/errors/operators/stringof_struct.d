/*
 * stringof of a struct.
 * @args -x errtags
 */
BEGIN
{
	trace(stringof(*curthread));
}
