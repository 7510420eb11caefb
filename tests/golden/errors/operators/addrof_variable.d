/*
 * The address of a variable.
 * @args -x errtags
 */
BEGIN
{
	x = 1;
	trace(&x);
}
