/*
 * A register beyond the set.
 * @args -x errtags
 * @ref d-errors 2.1 D_UNKNOWN; d-builtins 1 uregs-index; d-errors 2.1 D_UNKNOWN */
BEGIN
{
	trace(uregs[1000]);
}
