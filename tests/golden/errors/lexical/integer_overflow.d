/*
 * An integer constant that is too big.
 * @args -x errtags
 */
BEGIN
{
	trace(99999999999999999999);
}
