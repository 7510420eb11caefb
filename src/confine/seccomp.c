// SPDX-License-Identifier: Apache-2.0
/* Makes a seccomp filter of a list of system calls, and installs it. */
#include "confine/seccomp.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOAD(field) \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, field))
#define RETURN(what)	    BPF_STMT(BPF_RET | BPF_K, (what))
#define JUMP(test, k, t, f) BPF_JUMP(BPF_JMP | (test) | BPF_K, (k), (t), (f))
#define REFUSE		    (SECCOMP_RET_ERRNO | EPERM)
#define ROW		    8 /* instructions of a row, at most */

struct code {
	struct sock_filter insns[SECCOMP_CALLS * ROW + 8];
	unsigned n;
};

static void emit(struct code *c, struct sock_filter insn)
{
	c->insns[c->n++] = insn;
}

/* Rows of one call, or calls that are all allowed and follow each other. */
struct run {
	const struct seccomp_call *rows;
	unsigned n;
	unsigned first, last; /* numbers of calls */
	bool any;	      /* whatever the arguments */
};

/* Where jumps of a part of the tree go: the two instructions after it. */
enum { OUT_NEXT = 0, OUT_ALLOW = 254, OUT_REFUSE = 255 };

/* The number of the call is one of R's. */
static void add_tests(struct code *c, const struct run *r)
{
	unsigned arg = ~0u;

	for (unsigned i = 0; i < r->n; i++) {
		const struct seccomp_call *row = &r->rows[i];

		if (row->arg != arg)
			emit(c, (struct sock_filter)LOAD(args[row->arg]));
		arg = row->arg;
		if (row->test == CALL_EQUAL)
			emit(c, (struct sock_filter)JUMP(BPF_JEQ, row->value, OUT_ALLOW, OUT_NEXT));
		else
			emit(c,
				(struct sock_filter)JUMP(
					BPF_JSET, row->value, OUT_NEXT, OUT_ALLOW));
	}
	emit(c, (struct sock_filter)RETURN(REFUSE));
}

/* The number of the call is loaded, and not below the first of RUNS unless LEAST. */
static void add_runs(struct code *c, const struct run *runs, unsigned n, bool least)
{
	unsigned half = n / 2, jump;

	if (n > 1) {
		jump = c->n;
		emit(c, (struct sock_filter)JUMP(BPF_JGE, runs[half].first, 0, OUT_NEXT));
		add_runs(c, runs, half, least);
		c->insns[jump].jt = (uint8_t)(c->n - jump - 1);
		add_runs(c, runs + half, n - half, false);
		return;
	}
	if (least)
		emit(c, (struct sock_filter)JUMP(BPF_JGE, runs->first, OUT_NEXT, OUT_REFUSE));
	if (runs->any) {
		emit(c, (struct sock_filter)JUMP(BPF_JGT, runs->last, OUT_REFUSE, OUT_ALLOW));
		return;
	}
	emit(c, (struct sock_filter)JUMP(BPF_JGT, runs->last, OUT_REFUSE, OUT_NEXT));
	add_tests(c, runs);
}

/* Ends a part of the tree that begins at FROM: its jumps reach what is less than 254 away. */
static void add_outs(struct code *c, unsigned from)
{
	unsigned allow = c->n, refuse = c->n + 1;

	for (unsigned i = from; i < allow; i++) {
		uint8_t *to[] = {&c->insns[i].jt, &c->insns[i].jf};

		for (int k = 0; k < 2; k++)
			if (*to[k] >= OUT_ALLOW)
				*to[k] = (uint8_t)((*to[k] == OUT_ALLOW ? allow : refuse) - i - 1);
	}
	emit(c, (struct sock_filter)RETURN(SECCOMP_RET_ALLOW));
	emit(c, (struct sock_filter)RETURN(REFUSE));
}

#define PART 60 /* rows */

/*
 * A tree whose lower parts share their ends.  The kernel tries the filter with each number there is
 * when it is installed, and compiles it: 0.3 us for an instruction.
 */
static void add_parts(struct code *c, const struct run *runs, unsigned n, bool least)
{
	unsigned half = n / 2, jump = c->n, rows = 0;

	for (unsigned i = 0; i < n; i++)
		rows += runs[i].any ? 1 : runs[i].n;
	if (n == 1 || rows <= PART) {
		add_runs(c, runs, n, least);
		add_outs(c, jump);
		return;
	}
	emit(c, (struct sock_filter)JUMP(BPF_JGE, runs[half].first, 0, 1));
	emit(c, (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 0));
	jump = c->n - 1;
	add_parts(c, runs, half, least);
	c->insns[jump].k = c->n - jump - 1;
	add_parts(c, runs + half, n - half, false);
}

/* Divides N sorted ROWS; returns the number of RUNS. */
static unsigned find_runs(const struct seccomp_call *rows, unsigned n, struct run *runs)
{
	unsigned nruns = 0;

	for (unsigned i = 0, end; i < n; i = end) {
		struct run *r = &runs[nruns++];
		bool any = false;

		for (end = i; end < n && rows[end].number == rows[i].number; end++)
			any |= rows[end].test == CALL_ANY;
		*r = (struct run){&rows[i], end - i, rows[i].number, rows[i].number, any};
		if (any && nruns > 1 && r[-1].any && r[-1].last + 1 == r->first) {
			r[-1].last = r->last;
			nruns--;
		}
	}
	return nruns;
}

static int by_number(const void *a, const void *b)
{
	const struct seccomp_call *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

int seccomp_allow(const struct seccomp_call *allowed, size_t n)
{
	struct code c;
	struct sock_fprog prog = {.filter = c.insns};
	struct seccomp_call rows[SECCOMP_CALLS];
	struct run runs[SECCOMP_CALLS];

	if (!n || n > SECCOMP_CALLS)
		return n ? -E2BIG : -EINVAL;
	c.n = 0; /* the instructions need not be cleared */
	memcpy(rows, allowed, n * sizeof(*rows));
	qsort(rows, n, sizeof(*rows), by_number);
	emit(&c, (struct sock_filter)LOAD(arch));
	emit(&c, (struct sock_filter)JUMP(BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0));
	emit(&c, (struct sock_filter)RETURN(SECCOMP_RET_KILL_PROCESS));
	emit(&c, (struct sock_filter)LOAD(nr));
	add_parts(&c, runs, find_runs(rows, (unsigned)n, runs), true);
	prog.len = (unsigned short)c.n;
	/* a positive result is a thread that cannot have the filter */
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &prog))
		return errno ? -errno : -ESRCH;
	return 0;
}
