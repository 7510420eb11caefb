/*
 * Results of failed calls: minus the error number in arg0 and arg1, errno itself.
 * @trigger values errors
 * @args -q
 * @ref d-builtins 1 errno
 */
syscall::close:return,
syscall::getppid:return
/pid == $target && arg0 < 0/
{
	printf("%s %d %d errno %d\n", probefunc, arg0, arg1, errno);
}

syscall::openat:return
/pid == $target && errno == 21/
{
	printf("%s %d %d errno %d\n", probefunc, arg0, arg1, errno);
}

syscall::getppid:return
/pid == $target/
{
	printf("%s positive %d errno %d\n", probefunc, arg0 > 0, errno);
}

syscall::getppid:entry
/pid == $target/
{
	printf("entry errno %d\n", errno);
}
