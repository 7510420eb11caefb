/*
 * A register that is no constant.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG; d-builtins 1 uregs-index */
BEGIN
{
	trace(uregs[pid]);
}
