/*
 * What the library translates: curpsinfo, curlwpsinfo and curcpu as values; args[0] where a provider translates it.
 * @trigger calls getppid 3
 * @ref d-language 16.2 object-variable
 * @ref d-language 16.3 translated
 */
#pragma D option quiet

cpuinfo_t *c;
psinfo_t *switched;

syscall::getppid:entry
/pid == $target/
{
	this->c = curcpu;
	c = curcpu;
	self->p = curpsinfo;
	threads[tid] = curlwpsinfo;
}

syscall::getppid:return
/self->p != NULL && self->p->pr_pid == $target/
{
	@[self->p->pr_fname, threads[tid]->pr_lwpid == tid, c->cpu_id < 4096] = count();
	@info[this->c == NULL, (uintptr_t)self->p == (uintptr_t)curthread] = count();
	self->p = NULL;
	threads[tid] = 0;
}

sched:::off-cpu
/pid == $target/
{
	switched = args[1];
	this->l = args[0];
	@seen[this->l != NULL && switched != NULL && switched->pr_pid >= 0 && this->l->pr_lwpid >= 0] = count();
}

END
{
	printf("%s", "");
	printa("%s %d %d %@d\n", @);
	printa("%d %d %@d\n", @info);
	trunc(@seen);
}
