/*
 * Two subscripts of a declared array.
 * @args -x errtags
 */
int a[4];

BEGIN
{
	trace(a[1, 2]);
}
