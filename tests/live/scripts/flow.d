/*
 * The flow of two system calls, between the entry and the return of the one.
 * @trigger values errors
 * @pinned
 * @filter 's/^ +[0-9]+ /  0 /'
 * @ref output 5 prefixes
 */
#pragma D option flowindent

syscall::openat:entry
/pid == $target/
{
	self->traced = 1;
}

syscall:::entry,
syscall:::return
/self->traced/
{
	printf("%s", probename);
}

syscall::getppid:return
/self->traced/
{
	self->traced = 0;
	exit(0);
}
