/*
 * What no BPF program may do.
 * @args -x errtags
 * @ref d-errors 2.1 D_UNKNOWN; d-errors 2.1 D_UNKNOWN; d-builtins 4 breakpoint-panic-chill */
BEGIN
{
	panic();
}
