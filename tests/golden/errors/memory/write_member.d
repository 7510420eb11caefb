/*
 * Members of what the kernel has.
 * @args -x errtags
 * @ref d-language 9.5 read-only
 * @ref d-language 11.3 writes
 * @ref d-errors 2.4 D_OP_WRITE
 */
BEGIN
{
	curthread->pid = 1;
}
