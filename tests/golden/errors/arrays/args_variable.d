/*
 * The subscript of args[] is a constant.
 * @args -x errtags
 */
syscall::read:entry
{
	trace(args[pid]);
}
