/*
 * A division by a constant 0.
 * @args -x errtags
 */
BEGIN
{
	trace(1 / 0);
}
