/*
 * Destructive actions that no BPF program may do are destructive, too.
 * @args -x errtags
 * @ref d-errors 2.12 D_ACT_SPEC; d-language 17.1 after-speculate */
BEGIN
{
	speculate(1);
	breakpoint();
}
