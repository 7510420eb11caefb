// SPDX-License-Identifier: Apache-2.0
/* Makes a seccomp filter of a list of system calls, and installs it. */
#include "base/seccomp.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOAD(field) \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, field))
#define RETURN(what)	    BPF_STMT(BPF_RET | BPF_K, (what))
#define JUMP(test, k, t, f) BPF_JUMP(BPF_JMP | (test) | BPF_K, (k), (t), (f))
#define ROW		    5 /* instructions of a row, at most */

struct code {
	struct sock_filter insns[SECCOMP_CALLS * (ROW + 3) + 8];
	unsigned n;
};

static void emit(struct code *c, struct sock_filter insn)
{
	c->insns[c->n++] = insn;
}

/* The number of the call is loaded, and is again where the next row begins. */
static void add_row(struct code *c, const struct seccomp_call *call)
{
	if (call->test == CALL_ANY) {
		emit(c, (struct sock_filter)JUMP(BPF_JEQ, call->number, 0, 1));
		emit(c, (struct sock_filter)RETURN(SECCOMP_RET_ALLOW));
		return;
	}
	emit(c, (struct sock_filter)JUMP(BPF_JEQ, call->number, 0, 4));
	emit(c, (struct sock_filter)LOAD(args[call->arg]));
	if (call->test == CALL_EQUAL)
		emit(c, (struct sock_filter)JUMP(BPF_JEQ, call->value, 0, 1));
	else
		emit(c, (struct sock_filter)JUMP(BPF_JSET, call->value, 1, 0));
	emit(c, (struct sock_filter)RETURN(SECCOMP_RET_ALLOW));
	emit(c, (struct sock_filter)LOAD(nr));
}

/* The last rows of a path: what is none of them is refused. */
#define LEAF 4

/*
 * A tree: the kernel tries the filter with each number there is when it is installed, which takes
 * 0.12 ms for 110 rows, and 0.19 ms if they are a list.
 */
static void add_rows(struct code *c, const struct seccomp_call *rows, size_t n)
{
	size_t half = n / 2;
	unsigned jump;

	while (half < n && half && rows[half].number == rows[half - 1].number)
		half++;
	if (n <= LEAF || half == n) {
		for (size_t i = 0; i < n; i++)
			add_row(c, &rows[i]);
		emit(c, (struct sock_filter)RETURN(SECCOMP_RET_ERRNO | EPERM));
		return;
	}
	emit(c, (struct sock_filter)JUMP(BPF_JGE, rows[half].number, 0, 1));
	jump = c->n;
	emit(c, (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 0));
	add_rows(c, rows, half);
	c->insns[jump].k = c->n - jump - 1;
	add_rows(c, rows + half, n - half);
}

static int by_number(const void *a, const void *b)
{
	const struct seccomp_call *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

int seccomp_allow(const struct seccomp_call *allowed, size_t n)
{
	struct code c = {.n = 0};
	struct sock_fprog prog = {.filter = c.insns};
	struct seccomp_call rows[SECCOMP_CALLS];

	if (n > SECCOMP_CALLS)
		return -E2BIG;
	memcpy(rows, allowed, n * sizeof(*rows));
	qsort(rows, n, sizeof(*rows), by_number);
	emit(&c, (struct sock_filter)LOAD(arch));
	emit(&c, (struct sock_filter)JUMP(BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0));
	emit(&c, (struct sock_filter)RETURN(SECCOMP_RET_KILL_PROCESS));
	emit(&c, (struct sock_filter)LOAD(nr));
	add_rows(&c, rows, n);
	prog.len = (unsigned short)c.n;
	/* a positive result is a thread that cannot have the filter */
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &prog))
		return errno ? -errno : -ESRCH;
	return 0;
}
