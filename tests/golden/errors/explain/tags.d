/*
 * Tags stand in DTrace's line only.
 * @args -x explain -x errtags
 * @ref d-errors 1.1
 * @ref d-errors 1.1; d-errors 2.1 D_SYNTAX */
BEGIN
{
	trace(1 + );
}
