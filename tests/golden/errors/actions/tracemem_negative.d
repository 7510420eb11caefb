/*
 * D_TRACEMEM_SIZE: negative.
 * @args -x errtags
 * @ref d-errors 2.10 D_TRACEMEM_SIZE */
BEGIN
{
	tracemem(0, -1);
}
