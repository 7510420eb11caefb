/*
 * Kernel memory is assigned to.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_WRITE; d-language 9.5 read-only */
BEGIN
{
	curthread->pid = 1;
}
