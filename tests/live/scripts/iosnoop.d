/*
 * Column headers from BEGIN, a line for each call that failed or did not, as opensnoop and iosnoop print them.
 * @trigger values errors
 * @ref output 7 flag-left width literal-text
 * @ref output 7 s d-i
 */
#pragma D option quiet

dtrace:::BEGIN
{
	printf("%-16s %-8s %4s %4s %s\n", "COMM", "CALL", "FD", "ERR", "PATH");
}

syscall::openat:entry
/pid == $target/
{
	self->path = copyinstr(arg1);
	self->in = 1;
}

syscall::openat:return
/self->in/
{
	printf("%-16s %-8s %4d %4d %s\n", execname, probefunc, (int)arg0, errno, self->path);
	self->path = 0;
	self->in = 0;
}

syscall::close:return
/pid == $target/
{
	printf("%-16s %-8s %4d %4d %s\n", execname, probefunc, (int)arg0, errno, "-");
}
