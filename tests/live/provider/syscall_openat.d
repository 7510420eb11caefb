/*
 * A system call's arguments, a string of user memory, the result and errno.
 * @trigger calls openat /nonexistent/file 2
 * @ref d-builtins 1 errno
 * @ref d-builtins 3.1 copyinstr
 */
#pragma D option quiet

syscall::openat:entry
/pid == $target && copyinstr(arg1) == "/nonexistent/file"/
{
	printf("%s %s flags %x\n", probefunc, copyinstr(arg1), arg2);
	self->in = 1;
}

syscall::openat:return
/self->in/
{
	printf("= %d errno %d\n", (int)arg1, errno);
	self->in = 0;
}
