/*
 * A member of an integer.
 * @args -x errtags
 */
BEGIN
{
	x = 1;
	trace(x.y);
}
