/*
 * A cast changes nothing about where a kernel pointer leads.
 * @args -x errtags
 * @ref d-language 11.3 judged-when-run
 * @ref d-errors 2.4 D_OP_WRITE
 */
BEGIN
{
	p = (char *)curthread;
	*(int *)(p + 4) = 1;
}
