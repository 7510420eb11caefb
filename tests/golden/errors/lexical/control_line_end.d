/*
 * A control line that the end of the file ends.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 1.1 control-line-at-end */
BEGIN
{
	trace(1);
}
#pragma D option quiet