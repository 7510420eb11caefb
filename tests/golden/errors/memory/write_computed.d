/*
 * An integer that holds no address of scratch memory gives no pointer to it.
 * @args -x errtags
 * @ref d-language 11.3 judged-when-run
 * @ref d-errors 2.4 D_OP_WRITE
 */
BEGIN
{
	*(int *)(arg0 + 8 * pid) = 1;
}
