// SPDX-License-Identifier: Apache-2.0
/* The system calls that a session can be left with, by what it needs them for. */
#define _GNU_SOURCE /* O_PATH, O_TMPFILE */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <linux/sockios.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/termios2.h"
#include "confine/seccomp.h"
#include "session/confine_int.h"

/*
 * Reading maps, symbols and files; writing what is open; waiting; signals for targets.  A call that
 * is missing here fails with EPERM: a trace that has run for days does not end for it.
 */
static const struct seccomp_call basic[] = {
	CALL(ppoll),
	CALL(read),
	CALL(write),
	CALL(pread64),
	CALL(pwrite64),
	CALL(readv),
	CALL(writev),
	CALL(close),
	CALL(lseek),
	CALL(fstat),
	CALL(stat),
	CALL(lstat),
	CALL(newfstatat),
	CALL(statx),
	CALL(statfs),
	CALL(fstatfs),
	CALL(access),
	CALL(faccessat),
	CALL(faccessat2),
	CALL(readlink),
	CALL(readlinkat),
	CALL(getdents64),
	CALL(getcwd),
	CALL_IF(openat, CALL_WITHOUT, 2,
		O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY)),
	CALL(fcntl),
	CALL(dup),
	CALL(dup2),
	CALL(dup3),
	CALL(ftruncate),
	CALL(fsync),
	CALL(fdatasync),
	CALL_IF(mmap, CALL_WITHOUT, 2, PROT_EXEC),
	CALL_IF(mprotect, CALL_WITHOUT, 2, PROT_EXEC),
	CALL(memfd_create), /* copies of .dwo files */
	CALL(munmap),
	CALL(mremap),
	CALL(madvise),
	CALL(brk),
	CALL(futex),
	CALL(poll),
	CALL(epoll_ctl),
	CALL(epoll_wait),
	CALL(epoll_pwait),
	CALL(restart_syscall),
	CALL(clock_gettime),
	CALL(gettimeofday),
	CALL(nanosleep),
	CALL(clock_nanosleep),
	CALL(timer_settime),
	CALL(timer_delete),
	CALL(rt_sigaction),
	CALL(rt_sigprocmask),
	CALL(rt_sigreturn),
	CALL(sigaltstack),
	CALL(kill),
	CALL(tgkill),
	CALL(pidfd_send_signal),
	CALL(wait4),
	CALL(waitid),
	CALL(capget),
	CALL(getpid),
	CALL(gettid),
	CALL(getppid),
	CALL(getuid),
	CALL(geteuid),
	CALL(getgid),
	CALL(getegid),
	CALL(getrandom),
	CALL(getrusage),
	CALL(uname),
	CALL(sysinfo),
	CALL(sched_yield),
	CALL(sched_getaffinity),
	CALL(sched_setaffinity),
	CALL(sendto),
	CALL(sendmsg),
	CALL(recvfrom),
	CALL(recvmsg),
	CALL(shutdown),
	CALL_IF(ioctl, CALL_EQUAL, 1, TCGETS),
	CALL_IF(ioctl, CALL_EQUAL, 1, TCSETS),
	CALL_IF(ioctl, CALL_EQUAL, 1, TCSETSW),
	CALL_IF(ioctl, CALL_EQUAL, 1, TCSETSF),
	CALL_IF(ioctl, CALL_EQUAL, 1, TERMIOS2_GET), /* glibc 2.42 does all four with these */
	CALL_IF(ioctl, CALL_EQUAL, 1, TERMIOS2_SET),
	CALL_IF(ioctl, CALL_EQUAL, 1, TERMIOS2_SET_WAIT),
	CALL_IF(ioctl, CALL_EQUAL, 1, TERMIOS2_SET_FLUSH),
	CALL_IF(ioctl, CALL_EQUAL, 1, TIOCGWINSZ),
	CALL_IF(ioctl, CALL_EQUAL, 1, TIOCGPGRP),
	CALL_IF(ioctl, CALL_EQUAL, 1, FIONREAD),
	CALL_IF(ioctl, CALL_EQUAL, 1, PERF_EVENT_IOC_PERIOD), /* clocks that stand still */
	CALL_IF(bpf, CALL_EQUAL, 0, BPF_MAP_LOOKUP_ELEM),
	CALL_IF(bpf, CALL_EQUAL, 0, BPF_MAP_UPDATE_ELEM),
	CALL_IF(bpf, CALL_EQUAL, 0, BPF_MAP_DELETE_ELEM),
	CALL_IF(bpf, CALL_EQUAL, 0, BPF_MAP_GET_NEXT_KEY),
	CALL_IF(bpf, CALL_EQUAL, 0, BPF_MAP_LOOKUP_AND_DELETE_ELEM),
	CALL_IF(bpf, CALL_EQUAL, 0, BPF_MAP_LOOKUP_BATCH),
	CALL_IF(bpf, CALL_EQUAL, 0, BPF_MAP_LOOKUP_AND_DELETE_BATCH),
	CALL_IF(bpf, CALL_EQUAL, 0, BPF_MAP_UPDATE_BATCH),
	CALL_IF(bpf, CALL_EQUAL, 0, BPF_MAP_DELETE_BATCH),
	CALL_IF(bpf, CALL_EQUAL, 0, BPF_OBJ_GET_INFO_BY_FD),
	CALL_IF(bpf, CALL_EQUAL, 0, BPF_ENABLE_STATS),
	CALL_IF(bpf, CALL_EQUAL, 0, BPF_PROG_TEST_RUN), /* END */
	CALL(exit),
	CALL(exit_group),
};

/* ---- more, for some sessions ---- */

/* Events of CPUs that come online, and places that come while tracing. */
static const struct seccomp_call events[] = {
	CALL(perf_event_open),
	CALL_IF(ioctl, CALL_EQUAL, 1, PERF_EVENT_IOC_SET_BPF),
	CALL_IF(ioctl, CALL_EQUAL, 1, PERF_EVENT_IOC_ENABLE),
	CALL_IF(bpf, CALL_EQUAL, 0, BPF_LINK_CREATE),
};

static const struct seccomp_call files[] = {
	CALL(openat),
	CALL(umask),
	CALL(fchmod),
	CALL(linkat),
	CALL(rename),
	CALL(unlink),
	CALL(mkdir),
};

static const struct seccomp_call network[] = {
	CALL(socket),
	CALL(connect),
	CALL(getsockopt),
	CALL(setsockopt),
	CALL_IF(ioctl, CALL_EQUAL, 1, SIOCOUTQ),
};

static const struct seccomp_call tables[] = {
	CALL_IF(bpf, CALL_EQUAL, 0, BPF_MAP_CREATE),
	CALL(process_vm_readv),
};

/* libbpf makes and links objects in memory; the first user stack needs a thread. */
static const struct seccomp_call programs[] = {
	CALL_IF(bpf, CALL_EQUAL, 0, BPF_MAP_CREATE),
	CALL_IF(bpf, CALL_EQUAL, 0, BPF_MAP_FREEZE),
	CALL_IF(bpf, CALL_EQUAL, 0, BPF_PROG_LOAD),
	CALL_IF(bpf, CALL_EQUAL, 0, BPF_PROG_BIND_MAP),
	CALL_IF(bpf, CALL_EQUAL, 0, BPF_BTF_LOAD),
	CALL(openat),
	CALL(epoll_create1),
	CALL(eventfd2),
	CALL(prlimit64),
	CALL(clone3),
	CALL(set_robust_list),
	CALL(rseq),
};

static const struct seccomp_call nets[] = {
	CALL(setns),
};

#define GROUP(bit, rows)                                    \
	{                                                   \
		bit, rows, sizeof(rows) / sizeof((rows)[0]) \
	}

static const struct {
	enum running_calls bit;
	const struct seccomp_call *rows;
	size_t n;
} groups_all[] = {
	GROUP(CALLS_BASIC, basic),
	GROUP(CALLS_EVENTS, events),
	GROUP(CALLS_FILES, files),
	GROUP(CALLS_NETWORK, network),
	GROUP(CALLS_TABLES, tables),
	GROUP(CALLS_PROGRAMS, programs),
	GROUP(CALLS_NETS, nets),
};

int confine_calls(uint32_t groups)
{
	struct seccomp_call rows[SECCOMP_CALLS];
	size_t n = 0;

	for (size_t i = 0; i < sizeof(groups_all) / sizeof(groups_all[0]); i++) {
		if ((groups & groups_all[i].bit) != groups_all[i].bit)
			continue;
		if (n + groups_all[i].n > SECCOMP_CALLS)
			return -E2BIG;
		memcpy(rows + n, groups_all[i].rows, groups_all[i].n * sizeof(*rows));
		n += groups_all[i].n;
	}
	return seccomp_allow(rows, n);
}
