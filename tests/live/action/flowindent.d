/*
 * Option flowindent over the system calls of a program: arrows, depth, several clauses of one
 * probe, probes that are neither entry nor return.
 * @trigger values errors
 * @pinned
 * @args -F
 * @filter 's/^ +[0-9]+ /  0 /'
 * @ref d-builtins 5.0 flowindent
 * @ref output 5 prefixes same-probe none
 * @ref options 3 flowindent
 */
BEGIN
{
}

syscall::close:entry,
syscall::openat:entry,
syscall::getppid:entry,
syscall::getppid:return
/pid == $target/
{
}

syscall::openat:return
/pid == $target && errno == 21/
{
	trace(arg1);
}

syscall::close:return
/pid == $target/
{
	trace(errno);
}

syscall::getppid:entry
/pid == $target/
{
	printf("second clause");
}

syscall::getppid:return
/pid == $target/
{
	printf("again");
}

END
{
	trace("end");
}
