/* SPDX-License-Identifier: Apache-2.0 */
/* Processes and threads in the words of /proc of Solaris: psinfo_t, lwpsinfo_t. */

#pragma D depends_on library kernel.d
#pragma D depends_on library regs.d

typedef int taskid_t;
typedef int poolid_t;
typedef int zoneid_t;
typedef int ctid_t;

typedef long time_t;

typedef struct timestruc {
	time_t tv_sec;
	long tv_nsec;
} timestruc_t;

/* pr_flag of lwpsinfo_t */
inline int PR_STOPPED = 0x1;
inline int PR_ISTOP = 0x2;
inline int PR_DSTOP = 0x4;
inline int PR_IDLE = 0x10000000;

/* those of Solaris that no thread has here */
inline int PR_STEP = 0x8;
inline int PR_ASLEEP = 0x10;
inline int PR_PCINVAL = 0x20;
inline int PR_ASLWP = 0x40;
inline int PR_AGENT = 0x80;
inline int PR_DETACH = 0x100;
inline int PR_DAEMON = 0x200;
inline int PR_ISSYS = 0x1000;
inline int PR_VFORKP = 0x2000;
inline int PR_ORPHAN = 0x4000;
inline int PR_NOSIGCHLD = 0x8000;
inline int PR_WAITPID = 0x10000;
inline int PR_FORK = 0x100000;
inline int PR_RLC = 0x200000;
inline int PR_KLC = 0x400000;
inline int PR_ASYNC = 0x800000;
inline int PR_MSACCT = 0x1000000;
inline int PR_BPTADJ = 0x2000000;
inline int PR_PTRACE = 0x4000000;
inline int PR_MSFORK = 0x8000000;

/* why a thread stopped */
inline int PR_REQUESTED = 1;
inline int PR_SIGNALLED = 2;
inline int PR_SYSENTRY = 3;
inline int PR_SYSEXIT = 4;
inline int PR_JOBCONTROL = 5;
inline int PR_FAULTED = 6;
inline int PR_SUSPENDED = 7;
inline int PR_CHECKPOINT = 8;

/* pr_stype, which is 0 here */
inline int SOBJ_NONE = 0;
inline int SOBJ_MUTEX = 1;
inline int SOBJ_RWLOCK = 2;
inline int SOBJ_CV = 3;
inline int SOBJ_SEMA = 4;
inline int SOBJ_USER = 5;
inline int SOBJ_USER_PI = 6;
inline int SOBJ_SHUTTLE = 7;

/* pr_state */
inline int SSLEEP = 1;
inline int SRUN = 2;
inline int SZOMB = 3;
inline int SSTOP = 4;
inline int SIDL = 5;
inline int SONPROC = 6;
inline int SWAIT = 7;

/* pr_dmodel */
inline int PR_MODEL_UNKNOWN = 0;
inline int PR_MODEL_ILP32 = 1;
inline int PR_MODEL_LP64 = 2;

/* first argument of waitid(2) */
inline int P_ALL = 0;
inline int P_PID = 1;
inline int P_PGID = 2;
inline int P_PIDFD = 3;

/* how a process ended or what happened to it, si_code of SIGCHLD */
inline int CLD_EXITED = 1;
inline int CLD_KILLED = 2;
inline int CLD_DUMPED = 3;
inline int CLD_TRAPPED = 4;
inline int CLD_STOPPED = 5;
inline int CLD_CONTINUED = 6;

typedef struct lwpsinfo {
	int pr_flag;
	id_t pr_lwpid;
	uintptr_t pr_addr; /* the struct task_struct */
	uintptr_t pr_wchan;
	char pr_stype;
	char pr_state;
	char pr_sname; /* pr_state as a letter */
	char pr_nice;
	short pr_syscall; /* of the current thread, else 0 */
	char pr_oldpri;
	char pr_cpu;
	int pr_pri; /* of Linux: a lower number runs first */
	ushort_t pr_pctcpu;
	timestruc_t pr_start; /* since the machine was started */
	timestruc_t pr_time;
	char pr_clname[8];
	char pr_name[16];
	processorid_t pr_onpro;
	processorid_t pr_bindpro;
	psetid_t pr_bindpset;
	int pr_lgrp;
} lwpsinfo_t;

typedef struct psinfo {
	int pr_flag;
	int pr_nlwp;
	pid_t pr_pid;
	pid_t pr_ppid;
	pid_t pr_pgid;
	pid_t pr_sid;
	uid_t pr_uid;
	uid_t pr_euid;
	gid_t pr_gid;
	gid_t pr_egid;
	uintptr_t pr_addr; /* the struct task_struct */
	size_t pr_size; /* KB */
	size_t pr_rssize; /* KB, less by what CPUs have not reported yet */
	dev_t pr_ttydev; /* -1: none */
	ushort_t pr_pctcpu;
	ushort_t pr_pctmem;
	timestruc_t pr_start; /* since the machine was started */
	timestruc_t pr_time; /* of this thread, the first, and those that have ended */
	timestruc_t pr_ctime;
	char pr_fname[16];
	char pr_psargs[80];
	int pr_wstat;
	int pr_argc; /* of the current process, else 0 */
	uintptr_t pr_argv;
	uintptr_t pr_envp;
	char pr_dmodel;
	taskid_t pr_taskid;
	projid_t pr_projid;
	poolid_t pr_poolid;
	zoneid_t pr_zoneid;
	ctid_t pr_contract;
	int pr_nzomb;
	lwpsinfo_t pr_lwp;
} psinfo_t;

/* Nanoseconds. */
translator timestruc_t < uint64_t t > {
	tv_sec = t / 1000000000;
	tv_nsec = t % 1000000000;
};

/* ---- struct task_struct ---- */

/* _task_tid[], _task_tgid[], _task_pgid[] and _task_sid[] come with the session. */

/*
 * __state (include/linux/sched.h): 0 on a run queue, 1 and 2 asleep, 4 stopped, 8 stopped by a
 * tracer, 0x10, 0x20 and 0x80 dead, 0x100 to be woken by a kill, 0x200 waking; 0x402 (idle) is
 * a kernel thread's sleep.
 */
inline int _task_state[struct task_struct *t] =
	t->__state == 0 ? (t->on_cpu ? SONPROC : SRUN) :
	t->__state & 0x3 ? SSLEEP :
	t->__state & 0xc ? SSTOP :
	t->exit_state || t->__state & 0xb0 ? SZOMB : SWAIT;

inline dev_t _tty_dev[struct tty_struct *t] =
	t ? t->driver->major << _MINOR_BITS | (t->driver->minor_start + t->index) : (dev_t)-1;

/*
 * A counter of memory, in pages.  Its four kinds (file, anonymous, swapped out, shared) are
 * struct percpu_counter since Linux 6.2 and were plain longs before.
 */
inline size_t _RSS_SIZE = sizeof (curthread->mm->rss_stat) / 4;
inline size_t _RSS_COUNT = _RSS_SIZE == sizeof (long) ? 0 : offsetof(struct percpu_counter, count);

inline long _rss[struct mm_struct *mm, int kind] =
	*(long *)((uintptr_t)&mm->rss_stat + kind * _RSS_SIZE + _RSS_COUNT);
inline long _mm_rss[struct mm_struct *mm] = _rss[mm, 0] + _rss[mm, 1] + _rss[mm, 3];

/* x86: a thread of a 32-bit program */
inline int _TIF_ADDR32 = 1 << 29;

/* What the kernel put at the bottom of the stack for main(). */
inline int _mm_argc[struct mm_struct *mm] =
	mm && mm == curthread->mm ? *(int *)copyin(mm->start_stack, sizeof (int)) : 0;

translator lwpsinfo_t < struct task_struct *t > {
	pr_flag = (t->__state & 0x4 ? PR_STOPPED : 0) | (t->pid == 0 ? PR_IDLE : 0);
	pr_lwpid = _task_tid[t];
	pr_addr = (uintptr_t)t;
	pr_wchan = 0;
	pr_stype = 0;
	pr_state = _task_state[t];
	pr_sname =
		t->__state == 0 ? (t->on_cpu ? 'O' : 'R') :
		t->__state & 0x3 ? 'S' :
		t->__state & 0xc ? 'T' :
		t->exit_state || t->__state & 0xb0 ? 'Z' : 'W';
	pr_nice = t->static_prio - 120;
	pr_syscall = t == curthread && (long)uregs[R_ERR] > 0 ? uregs[R_ERR] : 0;
	pr_oldpri = 0;
	pr_cpu = 0;
	pr_pri = t->prio;
	pr_pctcpu = 0;
	pr_start = xlate <timestruc_t>((uint64_t)t->start_boottime);
	pr_time = xlate <timestruc_t>((uint64_t)(t->utime + t->stime));
	pr_clname =
		t->policy == 1 || t->policy == 2 ? "RT" :
		t->policy == 5 ? "IDLE" :
		t->policy == 6 ? "DL" :
		t->policy == 7 ? "EXT" : "TS";
	pr_name = t->comm;
	pr_onpro = t->thread_info.cpu;
	pr_bindpro = t->nr_cpus_allowed == 1 ? (int)t->thread_info.cpu : -1;
	pr_bindpset = -1;
	pr_lgrp = 0;
};

/* The current process, and its child that has not run another program since it was made. */
inline int _has_our_args[struct task_struct *t] =
	t->mm && curthread->mm &&
	(t->mm == curthread->mm ||
		(t->real_parent == curthread && t->mm->arg_start == curthread->mm->arg_start));

translator psinfo_t < struct task_struct *t > {
	pr_flag = 0;
	pr_nlwp = t->signal ? t->signal->nr_threads : 0;
	pr_pid = _task_tgid[t];
	pr_ppid = _task_tgid[t->real_parent];
	pr_pgid = _task_pgid[t];
	pr_sid = _task_sid[t];
	pr_uid = t->cred->uid.val;
	pr_euid = t->cred->euid.val;
	pr_gid = t->cred->gid.val;
	pr_egid = t->cred->egid.val;
	pr_addr = (uintptr_t)t;
	pr_size = t->mm ? t->mm->total_vm * 4 : 0;
	pr_rssize = t->mm ? _mm_rss[t->mm] * 4 : 0;
	pr_ttydev = t->signal ? _tty_dev[t->signal->tty] : (dev_t)-1;
	pr_pctcpu = 0;
	pr_pctmem = 0;
	pr_start = xlate <timestruc_t>((uint64_t)t->group_leader->start_boottime);
	pr_time = xlate <timestruc_t>((uint64_t)(
		t->group_leader->utime + t->group_leader->stime +
		(t == t->group_leader ? 0 : t->utime + t->stime) +
		(t->signal ? t->signal->utime + t->signal->stime : 0)));
	pr_ctime = xlate <timestruc_t>((uint64_t)
		(t->signal ? t->signal->cutime + t->signal->cstime : 0));
	pr_fname = _task_name(t);
	/* those of others are out of reach */
	pr_psargs = _has_our_args[t] ? execargs : _task_name(t);
	pr_wstat = t->exit_code;
	pr_argc = _mm_argc[t->mm];
	pr_argv = t->mm ? t->mm->arg_start : 0;
	pr_envp = t->mm ? t->mm->env_start : 0;
	pr_dmodel = t->thread_info.flags & _TIF_ADDR32 ? PR_MODEL_ILP32 : PR_MODEL_LP64;
	pr_taskid = 0;
	pr_projid = 0;
	pr_poolid = 0;
	pr_zoneid = 0;
	pr_contract = 0;
	pr_nzomb = 0;
	pr_lwp = xlate <lwpsinfo_t>(t);
};

inline psinfo_t *curpsinfo = xlate <psinfo_t *>(curthread);
inline lwpsinfo_t *curlwpsinfo = xlate <lwpsinfo_t *>(curthread);

/* There are no zones. */
inline string zonename = "global";
