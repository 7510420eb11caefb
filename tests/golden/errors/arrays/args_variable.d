/*
 * The subscript of args[] is a constant.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG; d-language 16.3 constant-index */
syscall::read:entry
{
	trace(args[pid]);
}
