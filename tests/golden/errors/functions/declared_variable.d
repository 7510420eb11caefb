/*
 * A declared variable is called.
 * @args -x errtags
 */
int x;

BEGIN
{
	x();
}
