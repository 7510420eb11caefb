// SPDX-License-Identifier: Apache-2.0
/* Prints system calls as strace(1) does: names, arguments by their types, results. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* F_OFD_GETLK */
#endif
#include "abi/flags.h"
#include "abi/syscalls.h"
#include "arch/arch.h"
#include "arch/syscalls_table.h"
#include "base/buf.h"
#include "calls/arg.h"
#include "calls/call.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/sched.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#define RESULT_COLUMN 39 /* where " = " stands at least */

static const struct {
	const char *name;
	bool address; /* the result is one */
} calls[DT_SYSCALLS] = {
#define DEC						  false
#define SYSCALL_AS(name, kernel, parameters, result, ...) [ARCH_NR(name)] = {#name, result == PTR},
#include "abi/syscalls.def"
};

/* Calls some of whose arguments depend on others. */
enum {
	CALL_OPEN = ARCH_NR(open),
	CALL_POLL = ARCH_NR(poll),
	CALL_SELECT = ARCH_NR(select),
	CALL_MREMAP = ARCH_NR(mremap),
	CALL_SOCKET = ARCH_NR(socket),
	CALL_SETSOCKOPT = ARCH_NR(setsockopt),
	CALL_GETSOCKOPT = ARCH_NR(getsockopt),
	CALL_CLONE = ARCH_NR(clone),
	CALL_FCNTL = ARCH_NR(fcntl),
	CALL_UMASK = ARCH_NR(umask),
	CALL_RT_SIGTIMEDWAIT = ARCH_NR(rt_sigtimedwait),
	CALL_MKNOD = ARCH_NR(mknod),
	CALL_PERSONALITY = ARCH_NR(personality),
	CALL_SCHED_GETSCHEDULER = ARCH_NR(sched_getscheduler),
	CALL_PRCTL = ARCH_NR(prctl),
	CALL_FUTEX = ARCH_NR(futex),
	CALL_OPENAT = ARCH_NR(openat),
	CALL_MKNODAT = ARCH_NR(mknodat),
	CALL_PSELECT6 = ARCH_NR(pselect6),
	CALL_PPOLL = ARCH_NR(ppoll),
	CALL_RECVMMSG = ARCH_NR(recvmmsg),
};

/* Flags of calls: linux/fcntl.h, linux/futex.h, linux/mman.h, linux/socket.h. */
enum {
	HAS_MODE = 0100 | 020000000, /* O_CREAT, O_TMPFILE */
	GETFD = 1,
	SETFD = 2,
	GETFL = 3,
	SETFL = 4,
	GETOWN = 9,
	GETSIG = 11,
	GETLEASE = 1025,
	GETPIPE = 1032,
	GETSEALS = 1034,
	REMAP_FIXED = 2,
	INET = 2,
	INET6 = 10,
	LEVEL_IP = 0,
	LEVEL_SOCKET = 1,
	LEVEL_TCP = 6,
	LEVEL_IPV6 = 41,
};

/* What is shown of a call's arguments, in this order. */
struct shown {
	unsigned n;
	struct {
		uint8_t arg;
		uint16_t form;
	} a[DT_SYSCALL_ARGS];
};

static void show(struct shown *w, unsigned arg, int form)
{
	w->a[w->n].arg = (uint8_t)arg;
	w->a[w->n++].form = (uint16_t)form;
}

/* futex(2): which arguments mean something, and what, is up to the operation (linux/futex.h). */
static void show_futex(const struct dt_syscall *s, struct shown *w)
{
	enum {
		COMMAND = 0x7f,
		WAIT = 0,
		REQUEUE = 3,
		CMP_REQUEUE,
		WAKE_OP,
		LOCK_PI,
		UNLOCK_PI,
		TRYLOCK_PI,
		WAIT_BITSET,
		WAKE_BITSET,
		WAIT_REQUEUE_PI,
		CMP_REQUEUE_PI,
		LOCK_PI2
	};
	unsigned command = s->arg[1] & COMMAND;

	w->n = 2;
	if (command == UNLOCK_PI || command == TRYLOCK_PI)
		return;
	if (command != LOCK_PI && command != LOCK_PI2)
		show(w, 2, UINT);
	switch (command) {
	case WAIT:
	case LOCK_PI:
	case LOCK_PI2:
		show(w, 3, TIMESPEC);
		break;
	case WAIT_BITSET:
		show(w, 3, TIMESPEC);
		show(w, 5, BITSET);
		break;
	case WAKE_BITSET:
		show(w, 5, BITSET);
		break;
	case WAIT_REQUEUE_PI:
		show(w, 3, TIMESPEC);
		show(w, 4, PTR);
		break;
	case REQUEUE:
	case CMP_REQUEUE:
	case CMP_REQUEUE_PI:
	case WAKE_OP:
		show(w, 3, UINT);
		show(w, 4, PTR);
		if (command != REQUEUE)
			show(w, 5, command == WAKE_OP ? HEX : UINT);
		break;
	default:
		break;
	}
}

/* prctl(2): how many arguments the operation has. */
static unsigned prctl_arguments(unsigned operation)
{
	switch (operation) {
	case PR_GET_DUMPABLE:
	case PR_GET_KEEPCAPS:
	case PR_GET_SECCOMP:
	case PR_GET_TIMERSLACK:
	case PR_GET_SECUREBITS:
	case PR_GET_TIMING:
		return 1;
	case PR_SET_NAME:
	case PR_GET_NAME:
	case PR_SET_PDEATHSIG:
	case PR_GET_PDEATHSIG:
	case PR_SET_DUMPABLE:
	case PR_SET_KEEPCAPS:
	case PR_CAPBSET_READ:
	case PR_CAPBSET_DROP:
	case PR_SET_TIMERSLACK:
	case PR_SET_CHILD_SUBREAPER:
	case PR_GET_CHILD_SUBREAPER:
	case PR_SET_SECUREBITS:
	case PR_GET_TSC:
	case PR_SET_TSC:
		return 2;
	default:
		return DT_SYSCALL_ARGS;
	}
}

static bool is_device(uint64_t mode)
{
	return S_ISCHR(mode) || S_ISBLK(mode);
}

/* Returns how many of the N arguments of S mean something. */
static unsigned meant(const struct dt_syscall *s, unsigned n)
{
	unsigned cmd = (unsigned)s->arg[1];

	switch (s->number) {
	case CALL_OPEN:
		return s->arg[1] & HAS_MODE ? 3 : 2;
	case CALL_OPENAT:
		return s->arg[2] & HAS_MODE ? 4 : 3;
	case CALL_MREMAP:
		return s->arg[3] & REMAP_FIXED ? 5 : 4;
	case CALL_MKNOD:
		return is_device(s->arg[1]) ? 3 : 2;
	case CALL_MKNODAT:
		return is_device(s->arg[2]) ? 4 : 3;
	case CALL_PRCTL:
		cmd = prctl_arguments((unsigned)s->arg[0]);
		return cmd < n ? cmd : n;
	case CALL_FCNTL:
		return cmd == GETFD || cmd == GETFL || cmd == GETOWN || cmd == GETSIG ||
				cmd == GETLEASE || cmd == GETPIPE || cmd == GETSEALS
			? 2
			: 3;
	default:
		return n;
	}
}

/* Returns the names of the options of LEVEL, of setsockopt(2). */
static uint16_t options_of(uint64_t level)
{
	switch ((uint32_t)level) {
	case LEVEL_SOCKET:
		return S(so);
	case LEVEL_TCP:
		return S(tcp);
	case LEVEL_IP:
		return S(ip);
	case LEVEL_IPV6:
		return S(ipv6);
	default:
		return INT;
	}
}

/* Returns the form of the argument of command CMD of fcntl(2). */
static uint16_t fcntl_form(uint64_t cmd)
{
	switch (cmd) {
	case F_GETLK:
	case F_SETLK:
	case F_SETLKW:
	case F_OFD_GETLK:
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
		return FLOCK;
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
	case F_SETLEASE:
	case F_SETOWN:
	case F_SETPIPE_SZ:
		return INT;
	case F_SETSIG:
		return S(signal);
	case F_ADD_SEALS:
		return S(seal);
	case F_NOTIFY:
		return S(dnotify);
	default:
		return HEX;
	}
}

/* Returns the form of argument I, which for some calls an argument before it decides. */
static uint16_t form_of(const struct dt_syscall *s, unsigned i)
{
	uint16_t form = dt_syscalls.arg[s->number][i];

	if (s->number == CALL_FCNTL && i == 2) {
		if (s->arg[1] == SETFL)
			return S(open);
		if (s->arg[1] == SETFD)
			return S(fd);
		return fcntl_form(s->arg[1]);
	}
	if (s->number == CALL_SOCKET && i == 2 && (s->arg[0] == INET || s->arg[0] == INET6))
		return S(ipproto);
	if ((s->number == CALL_SETSOCKOPT || s->number == CALL_GETSOCKOPT) && i == 2)
		return options_of(s->arg[1]);
	return form;
}

/* clone(2) of x86-64: its arguments have names, and are there if the flags say so. */
static void put_clone(struct buf *b, const struct dt_syscall *s)
{
	uint64_t flags = s->arg[0];

	buf_puts(b, "child_stack=");
	sysarg_put(b, s, 1, PTR, NULL);
	buf_puts(b, ", flags=");
	sysarg_put(b, s, 0, S(clone), NULL);
	if (flags & (CLONE_PARENT_SETTID | CLONE_PIDFD)) {
		buf_puts(b, ", parent_tid=");
		sysarg_put(b, s, 2, IDP, NULL);
	}
	if (flags & CLONE_SETTLS) {
		buf_puts(b, ", tls=");
		sysarg_put(b, s, 4, PTR, NULL);
	}
	if (flags & (CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID)) {
		buf_puts(b, ", child_tidptr=");
		sysarg_put(b, s, 3, PTR, NULL);
	}
}

static void put_arguments(struct buf *b, const struct dt_syscall *s, const struct flag_newer *newer)
{
	struct shown w = {0};

	if (s->number == CALL_CLONE) {
		put_clone(b, s);
		return;
	}
	while (w.n < DT_SYSCALL_ARGS && dt_syscalls.arg[s->number][w.n])
		show(&w, w.n, form_of(s, w.n));
	w.n = meant(s, w.n);
	if (s->number == CALL_FUTEX)
		show_futex(s, &w);
	for (unsigned i = 0; i < w.n; i++) {
		if (i)
			buf_put(b, ", ", 2);
		sysarg_put(b, s, w.a[i].arg, w.a[i].form, newer);
	}
}

/* Of a call that the table does not have; strace, too, prints six numbers. */
static void put_unknown(struct buf *b, const struct dt_syscall *s)
{
	for (unsigned i = 0; i < DT_SYSCALL_ARGS; i++) {
		buf_puts(b, i ? ", " : "");
		sysarg_hex(b, s->arg[i]);
	}
}

/* ---- results ---- */

/* Results that a process does not see: the call goes on after a signal's handler (linux/errno.h).
 */
static const char *restart_text(int64_t result)
{
	switch (result) {
	case -512:
		return "To be restarted if SA_RESTART is set";
	case -513:
		return "To be restarted";
	case -514:
		return "To be restarted if no handler";
	case -516:
		return "Interrupted by signal";
	default:
		return NULL;
	}
}

static void put_error(struct buf *b, int64_t result)
{
	const char *restart = restart_text(result);
	char name[32], text[256];

	flag_text(FLAGS_errno, (uint64_t)result, name, sizeof(name));
	flag_text(FLAGS_error, (uint64_t)result, text, sizeof(text));
	buf_printf(b, "%s %s (%s)", result <= -512 ? "?" : "-1", name, restart ? restart : text);
}

/* The descriptors of poll(2) with events. */
static void put_ready(struct buf *b, const struct dt_syscall *s)
{
	const struct pollfd *p;
	bool first = true;
	struct sysarg a;

	sysarg_init(&a, b, s, 0);
	p = (const void *)a.bytes;
	buf_putc(b, '[');
	for (size_t i = 0; i < a.len / sizeof(*p); i++) {
		if (!p[i].revents)
			continue;
		buf_printf(b, "%s{fd=%d, revents=", first ? "" : ", ", p[i].fd);
		sysarg_flags(b, FLAGS_poll, (uint16_t)p[i].revents);
		buf_putc(b, '}');
		first = false;
	}
	buf_putc(b, ']');
}

/* The descriptors of select(2) that are ready. */
static void put_selected(struct buf *b, const struct dt_syscall *s)
{
	static const char *const names[] = {NULL, "in ", "out ", "except "};
	bool first = true;

	for (unsigned i = 1; i <= 3; i++) {
		struct sysarg a;
		bool any = false;

		sysarg_init(&a, b, s, i);
		for (size_t k = 0; k < a.len; k++)
			any |= a.bytes[k];
		if (!any || !s->cap[i].len)
			continue;
		buf_puts(b, first ? "" : ", ");
		buf_puts(b, names[i]);
		sysarg_fdset(b, a.bytes, a.len, s->arg[0]);
		first = false;
	}
}

/* What is left of the time limit in argument I, if keepsys() has kept that. */
static void put_left(struct buf *b, const struct dt_syscall *s, unsigned i, const char *unit)
{
	struct sysarg a;

	sysarg_init(&a, b, s, i);
	if (a.given_len < 16 || s->cap[i].len < 16)
		return;
	buf_puts(b, s->number == CALL_RECVMMSG ? "left " : ", left ");
	sysarg_time(b, a.bytes, unit);
}

/* What the result of a call that waits for descriptors means. */
static void put_waited(struct buf *b, const struct dt_syscall *s)
{
	if (!s->result) {
		buf_puts(b, " (Timeout)");
		return;
	}
	buf_puts(b, " (");
	if (s->number == CALL_POLL || s->number == CALL_PPOLL)
		put_ready(b, s);
	else
		put_selected(b, s);
	if (s->number == CALL_PPOLL)
		put_left(b, s, 2, "nsec");
	if (s->number == CALL_SELECT)
		put_left(b, s, 4, "usec");
	if (s->number == CALL_PSELECT6)
		put_left(b, s, 4, "nsec");
	buf_putc(b, ')');
}

static void put_named(struct buf *b, enum flag_set set, int64_t v)
{
	buf_puts(b, " (");
	sysarg_flags(b, set, (uint64_t)v);
	buf_putc(b, ')');
}

/* Appends the result of a call whose number is not all; false: it is. */
static bool put_meaning(struct buf *b, const struct dt_syscall *s)
{
	bool flags = s->arg[1] == GETFL || s->arg[1] == GETFD;

	switch (s->number) {
	case CALL_FCNTL:
		if (!flags || !s->result)
			return false;
		sysarg_hex(b, (uint64_t)s->result);
		buf_puts(b, " (flags ");
		sysarg_flags(b, s->arg[1] == GETFL ? FLAGS_open : FLAGS_fd, (uint64_t)s->result);
		buf_putc(b, ')');
		return true;
	case CALL_UMASK:
		buf_printf(b, "%#03o", (unsigned)s->result);
		return true;
	case CALL_PERSONALITY:
		sysarg_hex(b, (uint64_t)s->result);
		put_named(b, FLAGS_personality, s->result);
		return true;
	case CALL_PRCTL:
		if (s->arg[0] != PR_GET_DUMPABLE)
			return false;
		sysarg_decimal(b, s->result);
		put_named(b, FLAGS_dumpable, s->result);
		return true;
	case CALL_SCHED_GETSCHEDULER:
	case CALL_RT_SIGTIMEDWAIT:
		sysarg_decimal(b, s->result);
		put_named(b, s->number == CALL_RT_SIGTIMEDWAIT ? FLAGS_signal : FLAGS_sched,
			s->result);
		return true;
	case CALL_POLL:
	case CALL_PPOLL:
	case CALL_SELECT:
	case CALL_PSELECT6:
		sysarg_decimal(b, s->result);
		put_waited(b, s);
		return true;
	case CALL_RECVMMSG:
		sysarg_decimal(b, s->result);
		if (s->arg[4] && s->kept) {
			buf_puts(b, " (");
			put_left(b, s, 4, "nsec");
			buf_putc(b, ')');
		}
		return true;
	default:
		return false;
	}
}

static void put_result(struct buf *b, const struct dt_syscall *s)
{
	if (s->state == SYSCALL_INSIDE)
		buf_putc(b, '?');
	else if (s->result < 0 && s->result >= -DT_SYSCALL_ERRORS)
		put_error(b, s->result);
	else if (put_meaning(b, s))
		return;
	else if (calls[s->number].address)
		buf_printf(b, "%#" PRIx64, (uint64_t)s->result);
	else
		sysarg_decimal(b, s->result);
}

void call_print(struct buf *b, const struct dt_syscall *s, const struct flag_newer *newer)
{
	struct dt_syscall plain = {0};
	size_t from = b->len;

	if (s->state == SYSCALL_NOT || s->number >= DT_SYSCALLS) {
		buf_puts(b, "-");
		return;
	}
	if (s->plain) {
		memcpy(&plain, s, offsetof(struct dt_syscall, cap));
		s = &plain;
	}
	if (calls[s->number].name) {
		buf_puts(b, calls[s->number].name);
		buf_putc(b, '(');
		put_arguments(b, s, newer);
	} else {
		buf_printf(b, "syscall_%#x(", s->number);
		put_unknown(b, s);
	}
	buf_putc(b, ')');
	if (b->len - from < RESULT_COLUMN)
		buf_fill(b, ' ', RESULT_COLUMN - (b->len - from));
	buf_puts(b, " = ");
	put_result(b, s);
}
