/*
 * Nothing at all.
 * @args -x errtags
 */
BEGIN
{
	printa();
}
