/*
 * A string operand of ~.
 * @args -x errtags
 */
BEGIN
{
	trace(~"a");
}
