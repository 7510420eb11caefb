/*
 * tid is the thread's id, pid that of its process; NULL is a pointer of any type.
 * @trigger calls threads 3 1
 * @ref d-builtins 1 tid pid NULL ppid
 */
#pragma D option quiet

int seen, same, parent;
self int n;

syscall::getppid:entry
/pid == $target/
{
	@tids[tid != pid] = count();
	seen += !self->n;
	self->n++;
	same += curthread->pid == tid && curthread->tgid == pid;
	parent += curthread->real_parent->tgid == ppid;
}

END
{
	printa("other than the process: %d, %@d\n", @tids);
	printf("%d threads, %d %d\n", seen, same, parent);
	p = (int *)NULL;
	printf("%d %d %d %d\n", p == NULL, curthread != NULL, (uintptr_t)NULL, (char *)0 == NULL);
}
