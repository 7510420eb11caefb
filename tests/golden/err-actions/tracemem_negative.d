/*
 * D_TRACEMEM_SIZE: negative.
 * @args -x errtags
 */
BEGIN
{
	tracemem(0, -1);
}
