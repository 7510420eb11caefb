/*
 * The size of the buffers that tracesys() shows is a constant.
 * @args -x errtags
 */
syscall:::return
{
	tracesys(arg0);
}
