/*
 * A name that no macro variable has.
 * @args -x errtags
 */
BEGIN
{
	trace($nosuch);
}
