/*
 * All that led to an error, and nothing of what went well: a speculation for each call.
 * @trigger values errors
 * @filter 's/^ *[0-9]+ +[0-9]+/  0   1/'
 * @ref output 12 when-committed discard own-prefix
 */
#pragma D option nspec=10

syscall::openat:entry,
syscall::close:entry,
syscall::getppid:entry
/pid == $target/
{
	self->spec = speculation();
}

syscall::openat:entry,
syscall::close:entry,
syscall::getppid:entry
/self->spec/
{
	speculate(self->spec);
	printf("%d begins", (int)arg0);
}

syscall::openat:return,
syscall::close:return,
syscall::getppid:return
/self->spec/
{
	speculate(self->spec);
	printf("ends with %d", errno);
}

syscall::openat:return,
syscall::close:return,
syscall::getppid:return
/self->spec && errno/
{
	commit(self->spec);
	self->spec = 0;
}

syscall::openat:return,
syscall::close:return,
syscall::getppid:return
/self->spec && !errno/
{
	discard(self->spec);
	self->spec = 0;
}
