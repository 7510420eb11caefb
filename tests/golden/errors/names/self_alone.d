/*
 * self is no value.
 * @args -x errtags
 */
BEGIN
{
	trace(self);
}
