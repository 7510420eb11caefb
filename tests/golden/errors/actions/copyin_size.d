/*
 * More bytes than a clause has scratch memory for.
 * @args -x errtags
 */
BEGIN
{
	trace(copyin(1, 1000000));
}
