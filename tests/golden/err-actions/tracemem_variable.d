/*
 * D_TRACEMEM_SIZE: no constant.
 * @args -x errtags
 */
BEGIN
{
	tracemem(0, pid);
}
