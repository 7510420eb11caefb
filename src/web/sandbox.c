// SPDX-License-Identifier: Apache-2.0
/* Enters the sandbox of the web server. */
#include "web/sandbox.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confine/helper.h"
#include "confine/seccomp.h"

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
	int err = chdir("/") ? -errno : helper_become_nobody();

	if (!err)
		err = helper_drop_capabilities();
	return err ? err : seccomp_allow(allowed, sizeof(allowed) / sizeof(allowed[0]));
}
