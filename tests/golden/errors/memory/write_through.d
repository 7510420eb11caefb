/*
 * What a pointer of the kernel points to.
 * @args -x errtags
 * @ref d-language 9.5 read-only
 * @ref d-language 11.3 writes
 * @ref d-errors 2.4 D_OP_WRITE
 */
BEGIN
{
	p = &curthread->pid;
	*p = 1;
}
