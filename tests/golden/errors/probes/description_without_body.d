/*
 * A description without a body before another clause.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 3 file-clause-needs-body */
BEGIN

END
{
	trace(1);
}
