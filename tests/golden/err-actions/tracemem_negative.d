/* D_TRACEMEM_SIZE: negative. */
BEGIN
{
	tracemem(0, -1);
}
