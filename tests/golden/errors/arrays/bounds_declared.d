/*
 * A constant subscript of a declared array beyond its end.
 * @args -x errtags
 */
int a[5];

BEGIN
{
	a[5] = 1;
}
