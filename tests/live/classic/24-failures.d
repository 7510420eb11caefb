#!/usr/sbin/dtrace -s
/*
 * Speculation: what a call did is shown only if it failed.
 * @trigger values errors
 * @ref d-language 17.2 speculate commit discard
 */

#pragma D option quiet
#pragma D option nspec=4
#pragma D option specsize=64k

syscall::openat:entry,
syscall::close:entry
/pid == $target && self->spec == NULL/
{
	self->spec = speculation();
}

syscall::openat:entry
/self->spec/
{
	speculate(self->spec);
	printf("%s(AT_FDCWD, \"%s\", 0x%x)", probefunc, copyinstr(arg1), arg2);
}

syscall::close:entry
/self->spec/
{
	speculate(self->spec);
	printf("%s(%d)", probefunc, (int)arg0);
}

syscall::getppid:entry
/pid == $target/
{
	self->spec = speculation();
	speculate(self->spec);
	printf("this one succeeds, nobody sees it\n");
}

syscall::openat:return,
syscall::close:return,
syscall::getppid:return
/self->spec && errno != 0/
{
	speculate(self->spec);
	printf(" = %d, errno %d\n", (int)arg0, errno);
}

syscall::openat:return,
syscall::close:return,
syscall::getppid:return
/self->spec/
{
	@fate[errno ? "committed" : "discarded"] = count();
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
	self->spec = NULL;
}

END
{
	printa("%-10s %@d\n", @fate);
}
