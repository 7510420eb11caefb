/*
 * A description without a body before another clause.
 * @args -x errtags
 */
BEGIN

END
{
	trace(1);
}
