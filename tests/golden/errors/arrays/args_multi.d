/*
 * args[] of many different probes.
 * @args -x errtags
 */
syscall:::
{
	trace(args[0]);
}
