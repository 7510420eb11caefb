/*
 * D_TRACEMEM_SIZE: 0.
 * @args -x errtags
 * @ref d-errors 2.10 D_TRACEMEM_SIZE */
BEGIN
{
	tracemem(0, 0);
}
