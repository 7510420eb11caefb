/*
 * A compound assignment doesn't make a variable.
 * @args -x errtags
 */
BEGIN
{
	x += 1;
}
