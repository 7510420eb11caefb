/*
 * trunc() of a number.
 * @args -x errtags
 */
BEGIN
{
	trunc(1);
}
