/*
 * The built-ins that say who and where, against what the process found out itself.
 * @trigger self ids
 */
#pragma D option quiet

syscall::getppid:entry
/pid == $target && arg0 == $target/
{
	printf("pid %d tid %d uid %d gid %d ppid %d cpu %d\n", pid == arg0, tid == arg1, uid == arg2, gid == arg3,
		ppid == arg4, cpu == arg5);
	printf("a thread of its own %d\n", tid != pid);
	printf("execname %s\n", execname);
	printf("probe %s %s %s %s\n", probeprov, probemod, probefunc, probename);
	printf("arguments beyond six %d %d %d %d\n", arg6, arg7, arg8, arg9);
	printf("curthread %d %d %d\n", curthread->pid == tid, curthread->tgid == pid,
		curthread->real_parent->tgid == ppid);
	printf("credentials %d %d\n", curthread->cred->uid.val == uid, curthread->cred->gid.val == gid);
	printf("comm %s [%c]\n", stringof(curthread->comm), curthread->comm[0]);
	printf("group leader %d %d\n", curthread->group_leader->pid == pid,
		curthread->group_leader->group_leader == curthread->group_leader);
	printf("memory %d %d\n", curthread->mm != NULL, curthread->mm->pgd != NULL);
	printf("shared with the leader %d\n", curthread->mm == curthread->group_leader->mm);
	self->thread = curthread;
	self->id = id;
	self->epid = epid;
	printf("epid %d %d\n", epid >> 32 == id, epid != 0);
}

syscall::getppid:entry
/self->id/
{
	printf("another clause: same id %d, same epid %d\n", id == self->id, epid == self->epid);
}

syscall::getppid:return
/self->id/
{
	printf("return %d %d: same thread %d, same id %d\n", arg0 == ppid, arg1 == ppid,
		curthread == self->thread, id == self->id);
	printf("probe %s errno %d\n", probename, errno);
	self->id = 0;
}
