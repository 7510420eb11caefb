/*
 * What the kernel's structs point to cannot be written.
 * @args -x errtags
 * @ref d-language 11.3 judged-when-run
 * @ref d-errors 2.4 D_OP_WRITE
 */
BEGIN
{
	t = curthread;
	t->real_parent->pid = 1;
}
