/*
 * D_TRACEMEM_SIZE: 0.
 * @args -x errtags
 */
BEGIN
{
	tracemem(0, 0);
}
