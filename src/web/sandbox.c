// SPDX-License-Identifier: Apache-2.0
/* Enters the sandbox of the web server. */
#define _GNU_SOURCE /* setgroups(), setresuid() */
#include "web/sandbox.h"

#include <errno.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOBODY 65534 /* also the kernel's overflow uid, where no user has this name */

void sandbox_close_others(int keep)
{
	if (keep > 3)
		syscall(SYS_close_range, 3u, (unsigned)keep - 1, 0u);
	syscall(SYS_close_range, (unsigned)(keep < 3 ? 3 : keep + 1), ~0u, 0u);
}

static int drop_rights(void)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[2] = {0};

	/* without root it has no more rights than its user, who cannot become nobody */
	if (geteuid() == 0) {
		for (int cap = 0; prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0; cap++)
			if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) && errno != EPERM)
				return -errno;
		if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
			setresuid(NOBODY, NOBODY, NOBODY))
			return -errno;
	}
	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) ||
		syscall(SYS_capset, &head, none) || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) ||
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	return 0;
}

/* What the server, libmicrohttpd and malloc() call; mmap(2) and mprotect(2) are looked at more
 * closely. */
static const unsigned allowed[] = {
	SYS_read,
	SYS_write,
	SYS_readv,
	SYS_writev,
	SYS_recvfrom,
	SYS_recvmsg,
	SYS_sendto,
	SYS_sendmsg,
	SYS_accept4,
	SYS_close,
	SYS_shutdown,
	SYS_fcntl,
	SYS_getsockopt,
	SYS_setsockopt,
	SYS_getsockname,
	SYS_getpeername,
	SYS_epoll_wait,
	SYS_epoll_pwait,
	SYS_epoll_ctl,
	SYS_poll,
	SYS_ppoll,
	SYS_munmap,
	SYS_mremap,
	SYS_brk,
	SYS_madvise,
	SYS_futex,
	SYS_clock_gettime,
	SYS_gettimeofday,
	SYS_getrandom,
	SYS_restart_syscall,
	SYS_rt_sigreturn,
	SYS_rt_sigprocmask,
	SYS_sched_yield,
	SYS_getpid,
	SYS_gettid,
	SYS_tgkill,
	SYS_exit,
	SYS_exit_group,
};

#define ALLOWED (sizeof(allowed) / sizeof(allowed[0]))
#define LOAD(field) \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, field))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, (what))
#define DENY	     (SECCOMP_RET_ERRNO | EPERM)

static int filter_calls(void)
{
	struct sock_filter code[ALLOWED * 2 + 16];
	unsigned n = 0;
	struct sock_fprog prog = {.filter = code};

	code[n++] = (struct sock_filter)LOAD(arch);
	code[n++] =
		(struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
	code[n++] = (struct sock_filter)RETURN(SECCOMP_RET_KILL_PROCESS);
	code[n++] = (struct sock_filter)LOAD(nr);
	for (unsigned i = 0; i < ALLOWED; i++) {
		code[n++] =
			(struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[i], 0, 1);
		code[n++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
	}
	/* memory, but no new code */
	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 2, 0);
	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 1, 0);
	code[n++] = (struct sock_filter)RETURN(DENY);
	code[n++] = (struct sock_filter)LOAD(args[2]);
	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0);
	code[n++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
	code[n++] = (struct sock_filter)RETURN(DENY);
	prog.len = (unsigned short)n;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog, 0, 0) ? -errno : 0;
}

int sandbox_enter(void)
{
	int err = chdir("/") ? -errno : drop_rights();

	return err ? err : filter_calls();
}
