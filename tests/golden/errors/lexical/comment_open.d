/*
 * A comment that doesn't end.
 * @args -x errtags
 */
BEGIN
{
	trace(1); /* one
}
