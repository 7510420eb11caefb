/*
 * args[] of many different probes.
 * @args -x errtags
 * @ref d-errors 2.6 D_ARGS_MULTI; d-language 16.3 unstable-set */
syscall:::
{
	trace(args[0]);
}
