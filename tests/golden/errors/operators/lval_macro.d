/*
 * A macro variable is assigned to.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_LVAL; d-language 9.5 not-lvalues; d-language 2 read-only */
BEGIN
{
	$pid = 4;
}
