// SPDX-License-Identifier: Apache-2.0
/* Prints arguments of system calls: signals, processes and their limits. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <inttypes.h>
#include <linux/sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "abi/flags.h"
#include "abi/syscalls.h"
#include "arch/arch.h"
#include "base/buf.h"
#include "calls/arg.h"

/* ---- signals ---- */

/* The kernel's first real-time signal; the C library keeps some of them for itself. */
#define FIRST_REAL_TIME 32

/* Appends the name without SIG. */
static void put_signal(struct buf *b, uint64_t signal)
{
	char name[32];

	if (signal == FIRST_REAL_TIME) {
		buf_puts(b, "RTMIN");
	} else if (signal > FIRST_REAL_TIME && signal <= 64) {
		buf_puts(b, "RT_");
		sysarg_decimal(b, (int64_t)signal - FIRST_REAL_TIME);
	} else {
		flag_text(FLAGS_signal, signal, name, sizeof(name));
		buf_puts(b, name + (strncmp(name, "SIG", 3) ? 0 : 3));
	}
}

void sysarg_signal(struct buf *b, uint64_t signal)
{
	signal = (uint32_t)signal;
	if (signal >= 1 && signal <= 64)
		buf_puts(b, "SIG");
	put_signal(b, signal);
}

/* Names without SIG; of a set with most signals those that it lacks. */
static void put_signals(struct buf *b, const char *bytes)
{
	bool first = true, most;
	uint64_t set;

	memcpy(&set, bytes, sizeof(set));
	most = __builtin_popcountll(set) > 32;
	if (most)
		set = ~set;
	buf_puts(b, most ? "~[" : "[");
	for (unsigned i = 0; i < 64; i++) {
		if (!(set >> i & 1))
			continue;
		buf_puts(b, first ? "" : " ");
		put_signal(b, i + 1);
		first = false;
	}
	buf_putc(b, ']');
}

void sysarg_signals(const struct sysarg *a)
{
	buf_puts(a->b, a->s->number == ARCH_NR(rt_sigreturn) ? "{mask=" : "");
	put_signals(a->b, a->bytes);
	buf_puts(a->b, a->s->number == ARCH_NR(rt_sigreturn) ? "}" : "");
}

/* The mask of pselect6(2), and its size. */
void sysarg_signals_pair(const struct sysarg *a)
{
	uint64_t v[2];
	const char *set;
	size_t len;

	memcpy(v, a->bytes, sizeof(v));
	set = sysarg_captured(a->s, &a->s->more[DT_SYSCALL_NAME], &len);
	buf_puts(a->b, "{sigmask=");
	if (len >= 8)
		put_signals(a->b, set);
	else
		sysarg_address(a->b, v[0]);
	buf_printf(a->b, ", sigsetsize=%" PRIu64 "}", v[1]);
}

static const char *code_name(int32_t signal, int32_t code)
{
	static const char *const child[] = {[CLD_EXITED] = "CLD_EXITED",
		[CLD_KILLED] = "CLD_KILLED",
		[CLD_DUMPED] = "CLD_DUMPED",
		[CLD_TRAPPED] = "CLD_TRAPPED",
		[CLD_STOPPED] = "CLD_STOPPED",
		[CLD_CONTINUED] = "CLD_CONTINUED"};

	if (signal == SIGCHLD && code >= CLD_EXITED && code <= CLD_CONTINUED)
		return child[code];
	if (signal == SIGSEGV && code == SEGV_MAPERR)
		return "SEGV_MAPERR";
	if (signal == SIGSEGV && code == SEGV_ACCERR)
		return "SEGV_ACCERR";
	switch (code) {
	case SI_USER:
		return "SI_USER";
	case SI_KERNEL:
		return "SI_KERNEL";
	case SI_QUEUE:
		return "SI_QUEUE";
	case SI_TIMER:
		return "SI_TIMER";
	case SI_TKILL:
		return "SI_TKILL";
	default:
		return NULL;
	}
}

/* CPU time in ticks, of which a second has 100 (linux/time.h, USER_HZ). */
static void put_ticks(struct buf *b, const char *name, long ticks)
{
	buf_printf(b, ", %s=%ld", name, ticks);
	if (ticks > 0) /* what a program has made up has no meaning in seconds */
		buf_printf(b, " /* %ld.%02ld s */", ticks / 100, ticks % 100);
}

/* The child of which SIGCHLD or waitid(2) tells. */
static void put_child(struct buf *b, const siginfo_t *info)
{
	buf_puts(b, ", si_status=");
	if (info->si_code == CLD_EXITED)
		sysarg_decimal(b, info->si_status);
	else
		sysarg_signal(b, (uint64_t)info->si_status);
	put_ticks(b, "si_utime", (long)info->si_utime);
	put_ticks(b, "si_stime", (long)info->si_stime);
}

void sysarg_siginfo(const struct sysarg *a)
{
	siginfo_t info = {0};
	const char *name;

	memcpy(&info, a->bytes, a->len < sizeof(info) ? a->len : sizeof(info));
	if (!info.si_signo) {
		buf_puts(a->b, "{}");
		return;
	}
	buf_puts(a->b, "{si_signo=");
	sysarg_signal(a->b, (uint64_t)info.si_signo);
	name = code_name(info.si_signo, info.si_code);
	buf_puts(a->b, ", si_code=");
	if (name)
		buf_puts(a->b, name);
	else
		sysarg_decimal(a->b, info.si_code);
	if (info.si_signo == SIGCHLD || info.si_code == SI_USER || info.si_code == SI_TKILL ||
		info.si_code == SI_QUEUE)
		buf_printf(a->b, ", si_pid=%d, si_uid=%u", info.si_pid, info.si_uid);
	if (info.si_signo == SIGCHLD && info.si_code > 0)
		put_child(a->b, &info);
	else if (info.si_code == SI_QUEUE)
		buf_printf(a->b, ", si_int=%d, si_ptr=%p", info.si_int, info.si_ptr);
	buf_putc(a->b, '}');
}

/* struct sigaction of the kernel (asm/signal.h). */
void sysarg_sigaction(const struct sysarg *a)
{
	struct {
		uint64_t handler, flags, restorer;
		char mask[8];
	} act;

	memcpy(&act, a->bytes, sizeof(act));
	buf_puts(a->b, "{sa_handler=");
	if (act.handler > 1)
		sysarg_address(a->b, act.handler);
	else
		buf_puts(a->b, act.handler ? "SIG_IGN" : "SIG_DFL");
	buf_puts(a->b, ", sa_mask=");
	put_signals(a->b, act.mask);
	buf_puts(a->b, ", sa_flags=");
	sysarg_flags(a->b, FLAGS_sigaction, act.flags);
	if (act.flags & 0x04000000) { /* SA_RESTORER */
		buf_puts(a->b, ", sa_restorer=");
		sysarg_address(a->b, act.restorer);
	}
	buf_putc(a->b, '}');
}

void sysarg_stack(const struct sysarg *a)
{
	stack_t stack;

	memcpy(&stack, a->bytes, sizeof(stack));
	buf_puts(a->b, "{ss_sp=");
	sysarg_address(a->b, (uintptr_t)stack.ss_sp);
	buf_puts(a->b, ", ss_flags=");
	sysarg_flags(a->b, FLAGS_sigstack, (uint32_t)stack.ss_flags);
	buf_printf(a->b, ", ss_size=%zu}", stack.ss_size);
}

/* ---- processes ---- */

void sysarg_status(const struct sysarg *a)
{
	int status;

	memcpy(&status, a->bytes, sizeof(status));
	if (WIFEXITED(status)) {
		buf_printf(a->b, "[{WIFEXITED(s) && WEXITSTATUS(s) == %d}]", WEXITSTATUS(status));
	} else if (WIFSIGNALED(status)) {
		buf_puts(a->b, "[{WIFSIGNALED(s) && WTERMSIG(s) == ");
		sysarg_signal(a->b, (uint64_t)WTERMSIG(status));
		buf_puts(a->b, WCOREDUMP(status) ? " && WCOREDUMP(s)}]" : "}]");
	} else if (WIFSTOPPED(status)) {
		buf_puts(a->b, "[{WIFSTOPPED(s) && WSTOPSIG(s) == ");
		sysarg_signal(a->b, (uint64_t)WSTOPSIG(status));
		buf_puts(a->b, "}]");
	} else {
		buf_puts(a->b, "[{WIFCONTINUED(s)}]");
	}
}

static void put_limit(struct buf *b, const char *name, uint64_t v)
{
	buf_puts(b, name);
	if (v == UINT64_MAX)
		buf_puts(b, "=RLIM64_INFINITY");
	else if (v > 1024 && v % 1024 == 0)
		buf_printf(b, "=%" PRIu64 "*1024", v / 1024);
	else
		buf_printf(b, "=%" PRIu64, v);
}

void sysarg_rlimit(const struct sysarg *a)
{
	const uint64_t *r = (const void *)a->bytes;

	put_limit(a->b, "{rlim_cur", r[0]);
	put_limit(a->b, ", rlim_max", r[1]);
	buf_putc(a->b, '}');
}

void sysarg_rusage(const struct sysarg *a)
{
	buf_puts(a->b, "{ru_utime=");
	sysarg_time(a->b, a->bytes, "usec");
	buf_puts(a->b, ", ru_stime=");
	sysarg_time(a->b, a->bytes + 16, "usec");
	buf_puts(a->b, ", ...}");
}

void sysarg_utsname(const struct sysarg *a)
{
	enum { FIELD = 65 };

	buf_puts(a->b, "{sysname=");
	sysarg_quoted(a->b, a->bytes, strnlen(a->bytes, FIELD), false);
	buf_puts(a->b, ", nodename=");
	sysarg_quoted(a->b, a->bytes + FIELD, strnlen(a->bytes + FIELD, FIELD), false);
	buf_puts(a->b, ", ...}");
}

/* A member that is there if the flags have one of these. */
static void put_clone_member(
	struct buf *b, const struct clone_args *c, uint64_t flags, const char *name, uint64_t v)
{
	if (!(c->flags & flags))
		return;
	buf_puts(b, name);
	sysarg_address(b, v);
}

/* struct clone_args up to its member tls. */
void sysarg_clone(const struct sysarg *a)
{
	struct clone_args c = {0};
	const char *tid;
	int32_t parent;
	size_t len;

	memcpy(&c, a->bytes, a->len < sizeof(c) ? a->len : sizeof(c));
	buf_puts(a->b, "{flags=");
	sysarg_flags(a->b, FLAGS_clone, c.flags);
	put_clone_member(a->b, &c, CLONE_PIDFD, ", pidfd=", c.pidfd);
	put_clone_member(
		a->b, &c, CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID, ", child_tid=", c.child_tid);
	put_clone_member(a->b, &c, CLONE_PARENT_SETTID, ", parent_tid=", c.parent_tid);
	buf_puts(a->b, ", exit_signal=");
	sysarg_signal(a->b, c.exit_signal);
	buf_puts(a->b, ", stack=");
	sysarg_address(a->b, c.stack);
	buf_puts(a->b, ", stack_size=");
	sysarg_hex(a->b, c.stack_size);
	put_clone_member(a->b, &c, CLONE_SETTLS, ", tls=", c.tls);
	buf_putc(a->b, '}');
	tid = sysarg_captured(a->s, &a->s->more[DT_SYSCALL_PARENT_TID], &len);
	if (len >= sizeof(parent)) {
		memcpy(&parent, tid, sizeof(parent));
		buf_printf(a->b, " => {parent_tid=[%d]}", parent);
	}
}

void sysarg_prctl(const struct sysarg *a)
{
	uint32_t operation = (uint32_t)a->s->arg[0];
	int32_t v = 0;

	if (a->len)
		memcpy(&v, a->bytes, sizeof(v));
	switch (operation) {
	case PR_SET_NAME:
	case PR_GET_NAME:
		if (!a->len)
			break;
		sysarg_quoted(a->b, a->bytes, strnlen(a->bytes, 15), false);
		return;
	case PR_SET_PDEATHSIG:
		sysarg_signal(a->b, a->v);
		return;
	case PR_GET_PDEATHSIG:
		if (!a->len || !sysarg_succeeded(a->s))
			break;
		buf_putc(a->b, '[');
		sysarg_signal(a->b, (uint32_t)v);
		buf_putc(a->b, ']');
		return;
	case PR_GET_CHILD_SUBREAPER:
	case PR_GET_TSC:
		if (!a->len || !sysarg_succeeded(a->s))
			break;
		buf_printf(a->b, "[%d]", v);
		return;
	case PR_SET_DUMPABLE:
		sysarg_flags(a->b, FLAGS_dumpable, a->v);
		return;
	case PR_CAPBSET_READ:
	case PR_CAPBSET_DROP:
		sysarg_flags(a->b, FLAGS_capability, a->v);
		return;
	case PR_SET_KEEPCAPS:
	case PR_SET_CHILD_SUBREAPER:
	case PR_SET_NO_NEW_PRIVS:
	case PR_SET_TIMERSLACK:
	case PR_SET_THP_DISABLE:
		sysarg_decimal(a->b, (int64_t)a->v);
		return;
	default:
		sysarg_hex(a->b, a->v);
		return;
	}
	sysarg_address(a->b, a->v);
}

/* ---- execve(2) ---- */

/* Strings that end with a NUL each, one after the other. */
void sysarg_strings(const struct sysarg *a)
{
	size_t at = 0, n;

	buf_putc(a->b, '[');
	while (at < a->len) {
		bool more;

		n = strnlen(a->bytes + at, a->len - at);
		more = n > DT_SYSCALL_SHOWN || at + n == a->len;
		buf_puts(a->b, at ? ", " : "");
		sysarg_quoted(
			a->b, a->bytes + at, n > DT_SYSCALL_SHOWN ? DT_SYSCALL_SHOWN : n, more);
		at += n + 1;
	}
	buf_puts(a->b, a->s->cut ? ", ...]" : "]");
}

void sysarg_environment(const struct sysarg *a)
{
	sysarg_address(a->b, a->v);
	if (a->v)
		buf_printf(a->b, " /* %u var%s */", a->s->count, a->s->count == 1 ? "" : "s");
}
