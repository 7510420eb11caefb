/*
 * A void key of an associative array.
 * @args -x errtags
 */
BEGIN
{
	a[(void)0] = 1;
}
