// SPDX-License-Identifier: Apache-2.0
/* Enters the sandbox of the web server. */
#define _GNU_SOURCE /* setgroups(), setresuid() */
#include "web/sandbox.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/seccomp.h"

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

/* What the server, libmicrohttpd and malloc() call: memory, but no new code. */
static const struct seccomp_call allowed[] = {
	CALL(read),
	CALL(write),
	CALL(readv),
	CALL(writev),
	CALL(recvfrom),
	CALL(recvmsg),
	CALL(sendto),
	CALL(sendmsg),
	CALL(accept4),
	CALL(close),
	CALL(shutdown),
	CALL(fcntl),
	CALL(getsockopt),
	CALL(setsockopt),
	CALL(getsockname),
	CALL(getpeername),
	CALL(epoll_wait),
	CALL(epoll_pwait),
	CALL(epoll_ctl),
	CALL(poll),
	CALL(ppoll),
	CALL(munmap),
	CALL(mremap),
	CALL(brk),
	CALL(madvise),
	CALL(futex),
	CALL(clock_gettime),
	CALL(gettimeofday),
	CALL(getrandom),
	CALL(restart_syscall),
	CALL(rt_sigreturn),
	CALL(rt_sigprocmask),
	CALL(sched_yield),
	CALL(getpid),
	CALL(gettid),
	CALL(tgkill),
	CALL(exit),
	CALL(exit_group),
	CALL_IF(mmap, CALL_WITHOUT, 2, PROT_EXEC),
	CALL_IF(mprotect, CALL_WITHOUT, 2, PROT_EXEC),
};

int sandbox_enter(void)
{
	int err = chdir("/") ? -errno : drop_rights();

	return err ? err : seccomp_allow(allowed, sizeof(allowed) / sizeof(allowed[0]));
}
