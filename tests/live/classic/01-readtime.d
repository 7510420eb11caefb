#!/usr/sbin/dtrace -s
/*
 * Time in a system call: a thread-local time stamp, cleared with NULL, and who never left it at 0.
 * @trigger calls read 6 100 5000
 * @ref d-language 8.1 self-zero
 */

#pragma D option quiet

dtrace:::BEGIN
{
	calls = 0;
	worst = NULL;
}

syscall::read:entry
/pid == $target && self->ts == NULL/
{
	self->ts = timestamp;
	self->want = (size_t)arg2;
}

syscall::read:return
/self->ts != NULL && arg0 > 0/
{
	this->elapsed = timestamp - self->ts;
	worst = this->elapsed > worst ? this->elapsed : worst;
	calls++;
	@sizes["bytes"] = quantize(arg0);
	@short["short reads"] = sum(arg0 < self->want ? 1 : NULL);
	@avg["took time"] = min(this->elapsed > 0);
}

syscall::read:return
/self->ts/
{
	self->ts = NULL;
	self->want = 0;
}

dtrace:::END
{
	printf("%d reads, worst %s, left over: %d\n", calls, worst > 0 && worst < 1000000000 * 10 ? "sane" : "insane",
	    self->ts ? 1 : 0);
	printa("%-12s %@d\n", @short);
	printa("%-12s %@d\n", @avg);
	printa("\n  %s:%@d", @sizes);
}
