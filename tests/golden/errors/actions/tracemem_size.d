/*
 * No bytes at all.
 * @args -x errtags
 * @ref d-errors 2.10 D_TRACEMEM_SIZE; d-builtins 4 tracemem-errors */
BEGIN
{
	tracemem(0, 0);
}
