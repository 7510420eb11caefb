/*
 * System call arguments: arg0 to arg5 at entry, the result as arg0 and arg1 at return; what is
 * beyond is 0.
 * @trigger values six
 * @args -q
 * @ref d-builtins 1 arg0-arg9
 * @ref d-language 16.3 raw-arguments
 */
syscall::getppid:entry
/pid == $target/
{
	printf("entry %d %d %d %d %d %d|%d %d %d %d|%s %s %s %s\n", arg0, arg1, arg2, arg3, arg4,
		arg5, arg6, arg7, arg8, arg9, probeprov, probemod, probefunc, probename);
	self->in = timestamp;
}

syscall::getppid:return
/pid == $target && self->in/
{
	printf("return %d %d %d %d|%d %d|%s\n", arg0 == ppid, arg1 == ppid, arg2, arg5, errno,
		timestamp >= self->in, probename);
	self->in = 0;
}
