/*
 * What hangs off curthread: members, nested structs, arrays, pointers, and hops over NULL.
 * @stderr
 * @filter 's/\(0x[0-9a-f]+\)/(ADDRESS)/'
 * @ref d-builtins 1 curthread
 * @ref d-language 11.1 scaled subscript chains
 * @ref d-language 9.1 member address dereference offsetof
 * @ref d-language 11.2 run-time-index
 * @ref d-language 7.5 sign
 * @ref d-language 12 offsetof
 */
#pragma D option quiet

BEGIN
{
	t = curthread;
	printf("%d %d %d\n", t->pid == tid, t->tgid == pid, t->real_parent->tgid == ppid);
	printf("%d %d\n", (*t).pid == tid, (*t).real_parent->tgid == ppid);
	printf("%d %d\n", curthread->group_leader->group_leader->pid == pid,
		curthread->real_parent->real_parent != NULL);
	printf("%d %d %d\n", curthread->mm->pgd != NULL, curthread->mm->start_code < curthread->mm->end_code,
		curthread->mm->start_stack > curthread->mm->end_code);
	printf("%d %d\n", curthread->cred->uid.val == uid, curthread->real_cred->gid.val == gid);
	printf("%d %d\n", curthread->signal->nr_threads >= 1, curthread->flags & 0x00200000);
	printf("%s %c%c %d\n", stringof(curthread->comm), curthread->comm[0], curthread->comm[5],
		curthread->comm[7]);
	i = 2;
	printf("%c %c %c\n", curthread->comm[i], curthread->comm[i + 1], *(curthread->comm + i));
	printf("%d %d\n", sizeof(curthread->comm), sizeof(curthread->pid));
	printf("%d\n", offsetof(struct task_struct, comm) == (uintptr_t)&curthread->comm - (uintptr_t)curthread);
	printf("%s\n", stringof(&curthread->comm[3]));
	printf("%d\n", &curthread->pid == (pid_t *)((char *)curthread + offsetof(struct task_struct, pid)));
	printf("%d\n", *&curthread->tgid == pid);
	p = &curthread->tgid;
	printf("%d %d\n", *p == pid, *(p - 1) == tid);
	this->mm = curthread->mm;
	printf("%d\n", this->mm->mm_users.counter >= 1);
	self->t = curthread;
	threads[pid] = curthread;
	printf("%d %d\n", self->t->tgid == pid, threads[pid]->tgid == pid);
	printf("%d\n", ((struct task_struct *)(uintptr_t)curthread)->pid == tid);
	printf("%d %d\n", curthread->exit_state, curthread->in_execve);
}

/* PID 1's parent is PID 0, which is its own; kernel threads have no user memory. */
BEGIN
{
	null = (struct task_struct *)0;
	this->top = curthread->real_parent->real_parent->real_parent->real_parent->real_parent->real_parent->real_parent;
	n = 0;
}

BEGIN { trace("lost"); trace(null->mm->pgd); }
BEGIN { trace(null->thread_info.flags); }
BEGIN { trace(null->comm[0]); }
BEGIN { x = stringof(null->comm); }
BEGIN { y = null->real_parent->real_parent->tgid; }
BEGIN { trace(((struct task_struct *)8)->comm); }
BEGIN { y = curthread->comm[i + 14]; }
BEGIN { y = curthread->comm[i - 3]; }
BEGIN { exit(0); }

ERROR
{
	@faults[arg4] = count();
}

END
{
	printa("fault %d: %@d times\n", @faults);
}
