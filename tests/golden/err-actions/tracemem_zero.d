/* D_TRACEMEM_SIZE: 0. */
BEGIN
{
	tracemem(0, 0);
}
