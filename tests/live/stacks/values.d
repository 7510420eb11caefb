/*
 * Stacks as values of all kinds of variables: printed as the actions print them, also after the process has ended,
 * compared, copied, cleared and used as keys.
 * @trigger frames 2
 * @args -q
 * @filter '/^ *libc/d; s/\+0x[0-9a-f]+/+N/'
 * @ref d-language 15 stack-values
 */
int n;

/* a variable that was only NULL takes the type of the first stack */
BEGIN
{
	global = NULL;
	self->s = NULL;
	st[0] = NULL;
}

syscall::getppid:entry
/pid == $target && !n/
{
	printf("before: %d %d %d\n", global == 0, self->s == NULL, st[pid] != 0);
}

syscall::getppid:entry
/pid == $target/
{
	self->s = ustack(2);
	this->t = ustack(2);
	global = self->s;
	st[n] = ustack(3);
	self->a["x", n] = this->t;
	n++;
}

syscall::getppid:entry
/pid == $target && n == 1/
{
	printf("trace:");
	trace(self->s);
	printf("printf:%k%-4k--\n", st[0], this->t);
	printf("copies are equal: %d %d %d\n", global == self->s, this->t == self->a["x", 0], global != this->t);
	printf("the same again: %d, deeper: %d\n", self->s == ustack(2), self->s == st[0]);
	printf("true: %d %d %d\n", self->s ? 1 : 0, !global, global && st[0] ? 1 : 0);
	printf("one of two:%k%k", n == 1 ? st[0] : global, n == 1 ? NULL : global);
	printf("an assignment:%k", self->copy = global);
	printf("its value: %d\n", self->copy == global);
}

syscall::getppid:entry
/self->s/
{
	@by[self->s] = count();
	@by[st[n - 1]] = count();
	@by[ustack(2)] = count();
	@sum["key", self->s, 7] = sum(2);
	@dist[self->s] = quantize(n);
	self->s = 0;
	st[n - 1] = NULL;
	self->a["x", n - 1] = 0;
}

syscall::getppid:entry
/pid == $target && n == 1/
{
	printf("cleared: %d %d %d\n", self->s == 0, st[0] == NULL, !self->a["x", 0]);
	printf("none:%k--\n", self->s);
	st[7] = global;
}

END
{
	printf("after the process:%k", st[7]);
	st[7] = 0;
	printf("cleared: %d\n", st[7] == 0);
	printf("@by:\n");
	printa("%@d:%k", @by);
	printf("@by, @sum:\n");
	printa(@sum);
	printa(@dist);
	clear(@sum);
	trunc(@dist);
	trunc(@by);
}
