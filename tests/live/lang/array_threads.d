/*
 * Thread-local variables and arrays of several threads don't mix.
 * @trigger calls threads 4 5
 * @ref d-language 8.1 self-per-thread self-associative associative-zero
 */
#pragma D option quiet

syscall::getppid:entry
/pid == $target/
{
	self->n++;
	self->a["count"]++;
	self->a[execname] = tid;
	own[tid]++;
	total++;
}

syscall::getppid:return
/pid == $target && self->n == 5/
{
	@done[self->n, self->a["count"], self->a[execname] == tid, own[tid]] = count();
	self->n = 0;
	self->a["count"] = 0;
}

syscall::exit:entry
/pid == $target/
{
	@exits[self->n, self->a["count"]] = count();
}

END
{
	printa("n %d calls %d own %d %d: %@d threads\n", @done);
	printa("at exit %d %d: %@d threads\n", @exits);
}
