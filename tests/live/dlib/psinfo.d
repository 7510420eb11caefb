/*
 * curpsinfo and curlwpsinfo against what the process knows of itself.
 * @trigger procs one two
 * @ref d-builtins 1 curpsinfo curlwpsinfo library-constants
 * @ref providers 18.1 pr_flag pr_nlwp pr_pid pr_ppid pr_pgid pr_sid pr_uid pr_euid pr_gid pr_egid pr_addr pr_size pr_rssize pr_ttydev pr_start pr_time pr_ctime pr_fname pr_psargs pr_wstat pr_argc pr_argv pr_envp pr_dmodel
 * @ref providers 18.2 pr_flag pr_lwpid pr_addr pr_state pr_sname pr_nice pr_syscall pr_pri pr_start pr_time pr_clname pr_name pr_onpro pr_bindpro
 * @ref d-language 16.2 pointer-member
 */
#pragma D option quiet

struct expect {
	long pid, ppid, pgid, sid, tid;
	long uid, euid, gid, egid;
	long nlwp, argc, argv, envp;
	long size, rss, nice, cpu;
	long tty_major, tty_minor;
	long start;
};

/* What each CPU counts is added up when it has counted 64 pages, of each of three kinds. */
inline long SLACK[long cpus] = cpus * 64 * 3 * 4;

syscall::getppid:entry
/progenyof($target) && arg0/
{
	this->e = (struct expect *)copyin(arg0, sizeof (struct expect));
	printf("%s\n", copyinstr(arg1));
	printf("ids %d %d %d %d %d\n", curpsinfo->pr_pid == this->e->pid,
		curpsinfo->pr_ppid == this->e->ppid, curpsinfo->pr_pgid == this->e->pgid,
		curpsinfo->pr_sid == this->e->sid, this->e->sid == this->e->pid);
	printf("users %d %d %d %d\n", curpsinfo->pr_uid, curpsinfo->pr_euid, curpsinfo->pr_gid,
		curpsinfo->pr_egid);
	printf("lwps %d %d\n", curpsinfo->pr_nlwp, curpsinfo->pr_nlwp == this->e->nlwp);
	printf("command %s\n", strstr(curpsinfo->pr_psargs, "procs one"));
	printf("arguments %d %d %d\n", curpsinfo->pr_argc,
		curpsinfo->pr_argv == this->e->argv && this->e->argv,
		curpsinfo->pr_envp == this->e->envp && this->e->envp);
	printf("sizes %d %d\n", curpsinfo->pr_size == this->e->size && this->e->size > 24 * 1024,
		curpsinfo->pr_rssize > 20 * 1024 &&
		(long)curpsinfo->pr_rssize - this->e->rss < SLACK[64] &&
		this->e->rss - (long)curpsinfo->pr_rssize < SLACK[64]);
	printf("terminal %d %d\n", getmajor(curpsinfo->pr_ttydev) == this->e->tty_major,
		getminor(curpsinfo->pr_ttydev) == this->e->tty_minor);
	printf("times %d %d %d %d\n",
		curpsinfo->pr_start.tv_sec * 100 + curpsinfo->pr_start.tv_nsec / 10000000 ==
		this->e->start,
		curpsinfo->pr_time.tv_sec > 0 || curpsinfo->pr_time.tv_nsec > 0,
		curpsinfo->pr_ctime.tv_sec > 0 || curpsinfo->pr_ctime.tv_nsec > 0,
		curpsinfo->pr_ctime.tv_nsec < 1000000000);
	printf("%s %d %d\n", curpsinfo->pr_fname, curpsinfo->pr_dmodel == PR_MODEL_LP64,
		curpsinfo->pr_addr == (uintptr_t)curthread);
	printf("zeros %d %d %d %d %d %d %d %d %d %d\n", curpsinfo->pr_flag, curpsinfo->pr_pctcpu,
		curpsinfo->pr_pctmem, curpsinfo->pr_wstat, curpsinfo->pr_taskid,
		curpsinfo->pr_projid, curpsinfo->pr_poolid, curpsinfo->pr_zoneid,
		curpsinfo->pr_contract, curpsinfo->pr_nzomb);

	printf("thread %d %d %s\n", curlwpsinfo->pr_lwpid == this->e->tid,
		curpsinfo->pr_lwp.pr_lwpid == this->e->tid, curlwpsinfo->pr_name);
	printf("state %d %c %d %x\n", curlwpsinfo->pr_state == SONPROC, curlwpsinfo->pr_sname,
		curlwpsinfo->pr_stype, curlwpsinfo->pr_flag);
	printf("class %s nice %d %d priority %d\n", curlwpsinfo->pr_clname, curlwpsinfo->pr_nice,
		curlwpsinfo->pr_nice == this->e->nice, curlwpsinfo->pr_pri);
	printf("system call %d\n", curlwpsinfo->pr_syscall);
	printf("cpu %d bound %d %d %d\n", curlwpsinfo->pr_onpro == cpu,
		curlwpsinfo->pr_bindpro == -1, curlwpsinfo->pr_bindpro == this->e->cpu,
		curlwpsinfo->pr_bindpset);
	printf("times %d %d\n",
		curlwpsinfo->pr_start.tv_sec * 100 + curlwpsinfo->pr_start.tv_nsec / 10000000 >=
		this->e->start, curlwpsinfo->pr_time.tv_nsec < 1000000000);
	printf("address %d zeros %d %d %d %d %d\n", curlwpsinfo->pr_addr == (uintptr_t)curthread,
		curlwpsinfo->pr_wchan, curlwpsinfo->pr_oldpri, curlwpsinfo->pr_cpu,
		curlwpsinfo->pr_pctcpu, curlwpsinfo->pr_lgrp);
}
