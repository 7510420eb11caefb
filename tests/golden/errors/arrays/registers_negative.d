/*
 * A negative register.
 * @args -x errtags
 * @ref d-errors 2.6 D_REGS_IDX; d-builtins 1 uregs-index */
BEGIN
{
	trace(uregs[-1]);
}
