/*
 * A void value is assigned.
 * @args -x errtags
 */
BEGIN
{
	x = (void)1;
}
