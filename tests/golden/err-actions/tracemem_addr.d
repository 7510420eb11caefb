/*
 * D_TRACEMEM_ADDR.
 * @args -x errtags
 */
BEGIN
{
	tracemem("a", 5);
}
