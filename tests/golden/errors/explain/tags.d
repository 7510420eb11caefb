/*
 * Tags stand in DTrace's line only.
 * @args -x explain -x errtags
 * @ref d-errors 1.1
 */
BEGIN
{
	trace(1 + );
}
