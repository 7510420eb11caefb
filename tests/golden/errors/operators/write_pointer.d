/*
 * Kernel memory behind a pointer is assigned to.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_WRITE; d-language 9.5 read-only; d-language 9.1 assignment */
BEGIN
{
	*(int *)0 = 1;
}
