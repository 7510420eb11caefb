/*
 * A floating-point constant that begins with a point.
 * @args -x errtags
 */
BEGIN
{
	trace(.5);
}
