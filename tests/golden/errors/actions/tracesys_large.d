/*
 * tracesys() shows at most 256 bytes of a buffer.
 * @args -x errtags
 */
syscall:::return
{
	tracesys(257);
}
