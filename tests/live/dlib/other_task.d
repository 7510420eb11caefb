/*
 * psinfo_t and lwpsinfo_t of tasks other than the current one, whole, and in a chain.
 * @trigger calls getppid 1
 * @ref d-language 16.1 nested
 * @ref providers 18.1 pr_nlwp pr_pid pr_ppid pr_start pr_fname pr_psargs pr_argc
 * @ref providers 18.2 pr_syscall
 * @ref d-language 16.2 member pointer-member whole-struct
 * @ref d-builtins 1 curpsinfo
 */
#pragma D option quiet

psinfo_t ps;

syscall::getppid:entry
/pid == $target/
{
	this->parent = curthread->real_parent;
	printf("parent %d %s\n", xlate <psinfo_t *>(this->parent)->pr_pid == ppid,
		xlate <psinfo_t>(this->parent).pr_fname);
	printf("its parent %d\n", xlate <psinfo_t *>(this->parent)->pr_ppid ==
		curthread->real_parent->real_parent->tgid);
	printf("not read there %s %d %d\n", xlate <psinfo_t *>(this->parent)->pr_psargs,
		xlate <psinfo_t *>(this->parent)->pr_argc,
		xlate <lwpsinfo_t *>(this->parent)->pr_syscall);
	ps = xlate <psinfo_t>(curthread);
	printf("copy %d %d %s %d %d\n", ps.pr_pid == pid, ps.pr_ppid == ppid, ps.pr_fname,
		ps.pr_argc, ps.pr_nlwp);
	printf("arguments %d\n", ps.pr_psargs == substr(curpsinfo->pr_psargs, 0, 79));
	printf("inner %d %s %d\n", ps.pr_lwp.pr_lwpid == tid, ps.pr_lwp.pr_name,
		ps.pr_start.tv_sec == curpsinfo->pr_start.tv_sec);
}
