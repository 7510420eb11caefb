/*
 * Two registers at once.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_LEN; d-builtins 1 uregs-index */
BEGIN
{
	trace(uregs[1, 2]);
}
