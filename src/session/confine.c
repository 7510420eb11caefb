// SPDX-License-Identifier: Apache-2.0
/* Gives up the rights that a session does not need once everything is attached. */
#define _GNU_SOURCE /* O_PATH, O_TMPFILE */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "abi/record.h"
#include "abi/runtime.h"
#include "base/privilege.h"
#include "base/report.h"
#include "base/seccomp.h"
#include "base/vec.h"
#include "dtrace/dtrace.h"
#include "ir/lower.h"
#include "lang/format.h"
#include "probe/attach.h"
#include "session/options.h"
#include "session/session.h"
#include "target/target.h"

/* ---- the table ---- */

#define CAP(name) (1ULL << CAP_##name)
#define ALL_CAPS  UINT64_MAX

enum running {
#define RUNNING(id, ...) RUNNING_##id,
#include "session/running.def"
	RUNNING_COUNT,
};

enum running_calls { CALLS_SOME, CALLS_ALL };

static const struct {
	uint64_t caps;
	enum running_calls calls;
	const char *what;
} rows[RUNNING_COUNT] = {
#define RUNNING(id, caps, calls, what) [RUNNING_##id] = {caps, CALLS_##calls, what},
#include "session/running.def"
};

/* ---- what the session needs ---- */

static bool is_kernel_address(const struct datum *d)
{
	return d->kind == DATUM_STACK || d->kind == DATUM_STACK_ID || d->kind == DATUM_SYM ||
		d->kind == DATUM_MOD;
}

static bool any_kernel_address(const struct datum *data, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (is_kernel_address(&data[i]))
			return true;
	return false;
}

static bool any_action(
	const struct lowered *l, bool (*test)(const struct rec_action *act, int arg), int arg)
{
	for (uint32_t i = 0; i < l->nrecs; i++)
		for (uint32_t k = 0; l->recs[i] && k < l->recs[i]->nactions; k++)
			if (test(&l->recs[i]->actions[k], arg))
				return true;
	return false;
}

static bool names_kernel(const struct rec_action *act, int arg)
{
	return any_kernel_address(act->data, act->ndata);
}

static bool converts(const struct rec_action *act, int klass)
{
	return act->format && format_has(act->format, (enum conv_class)klass);
}

static bool leaves_us(const struct rec_action *act, int arg)
{
	return act->kind == REC_SYSTEM || act->kind == REC_FREOPEN || act->kind == REC_PCAP;
}

static bool needs_kernel_names(const struct lowered *l)
{
	for (uint32_t i = 0; i < l->naggs; i++)
		if (l->aggs[i] && any_kernel_address(l->aggs[i]->keys, l->aggs[i]->nkeys))
			return true;
	return any_action(l, names_kernel, 0) || any_action(l, converts, CONV_KSYM);
}

static bool opens_files(const struct dtrace *d)
{
	vec_for (r, &d->tracing.outputs)
		if (r->file || r->address || r->folder)
			return true;
	return false;
}

static bool is_packet(enum attach_kind kind)
{
	return kind == ATTACH_NETFILTER;
}

static bool any_program(const struct lowered *l, bool (*test)(enum attach_kind kind))
{
	for (uint32_t i = 0; i < l->module.progs.len; i++)
		if (test(l->module.progs.data[i].plan.kind))
			return true;
	return false;
}

static bool is_needed(struct dtrace *d, enum running what)
{
	const struct lowered *l = d->compiling.lowered;

	switch (what) {
	case RUNNING_KERNEL_NAMES:
		return needs_kernel_names(l);
	case RUNNING_USER_NAMES:
		return d->tracing.user_addresses || any_action(l, converts, CONV_USYM);
	case RUNNING_OVERHEAD:
		return options_given(d->opts, OPT_maxoverhead);
	case RUNNING_EVENTS:
		return any_program(l, attach_is_event);
	case RUNNING_PROCESSES:
		return d->tracing.web || targets_first(d->targets);
	case RUNNING_COMMANDS:
		return any_action(l, leaves_us, 0);
	case RUNNING_FILES:
		return opens_files(d);
	case RUNNING_ATTACHING:
		return d->tracing.late_probes != NULL;
	case RUNNING_STACKS:
		return l->module.rt_reads & RT_WALKS;
	case RUNNING_NAMESPACES:
		return any_program(l, is_packet);
	default:
		return true;
	}
}

/* ---- system calls ---- */

/*
 * Reading maps, symbols and files; writing what is open; waiting; signals for targets.  A call that
 * is missing here fails with EPERM: a trace that has run for days does not end for it.
 */
static const struct seccomp_call calls[] = {
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
	CALL_IF(ioctl, CALL_EQUAL, 1, TIOCGWINSZ),
	CALL_IF(ioctl, CALL_EQUAL, 1, TIOCGPGRP),
	CALL_IF(ioctl, CALL_EQUAL, 1, FIONREAD),
	/* clocks that stand still, and events of CPUs that come online */
	CALL_IF(ioctl, CALL_EQUAL, 1, PERF_EVENT_IOC_PERIOD),
	CALL_IF(ioctl, CALL_EQUAL, 1, PERF_EVENT_IOC_SET_BPF),
	CALL_IF(ioctl, CALL_EQUAL, 1, PERF_EVENT_IOC_ENABLE),
	CALL(perf_event_open),
	CALL_IF(bpf, CALL_EQUAL, 0, BPF_LINK_CREATE),
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

/* ---- giving up ---- */

int dtrace_session_confine(struct dtrace *d)
{
	uint64_t caps = 0;
	int err;

	if (d->phase != PHASE_TRACING)
		return report_error(&d->report, -EINVAL, "tracing has not begun");
	for (enum running i = 0; i < RUNNING_COUNT; i++) {
		if (!is_needed(d, i))
			continue;
		report_debug(&d->report, "rights that are kept for: %s", rows[i].what);
		if (rows[i].calls == CALLS_ALL)
			return 0;
		caps |= rows[i].caps;
	}
	err = privilege_keep(caps);
	if (!err && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		err = -errno;
	if (!err)
		err = seccomp_allow(calls, sizeof(calls) / sizeof(calls[0]));
	return err ? report_error(&d->report, err, "cannot give up rights: %s", strerror(-err)) : 0;
}
