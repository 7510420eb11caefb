/*
 * A declaration with a value.
 * @args -x errtags
 */
int x = 1;

BEGIN
{
	trace(x);
}
