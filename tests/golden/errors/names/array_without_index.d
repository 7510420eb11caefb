/*
 * An associative array without a subscript.
 * @args -x errtags
 */
BEGIN
{
	q[1] = 2;
	trace(q);
}
