/* D_TRACEMEM_SIZE: no constant. */
BEGIN
{
	tracemem(0, pid);
}
