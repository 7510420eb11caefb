/*
 * A pointer is compared with an integer that isn't 0.
 * @args -x errtags
 */
BEGIN
{
	trace(curthread == 1);
}
