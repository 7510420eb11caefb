/* D_TRACEMEM_ADDR. */
BEGIN
{
	tracemem("a", 5);
}
