/*
 * D_TRACEMEM_ADDR.
 * @args -x errtags
 * @ref d-errors 2.10 D_TRACEMEM_ADDR */
BEGIN
{
	tracemem("a", 5);
}
