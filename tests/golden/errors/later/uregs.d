/*
 * User registers.
 * @args -x errtags
 */
BEGIN
{
	trace(uregs[1]);
}
