/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits: what a loop waits for.  Each part of a program registers its descriptor, its deadline and
 * what it does in a pass of the loop, which need not know any of them.
 */
#ifndef BASE_WAITS_H
#define BASE_WAITS_H

#include <stdint.h>

#include "base/vec.h"

struct arena;
struct pollfd;

#define WAIT_NEVER UINT64_MAX

/* The owner changes FD and UNTIL whenever it likes; the registry looks at them when it waits. */
struct loop_wait {
	int fd;		/* the wait ends when it is readable; -1: none */
	uint64_t until; /* CLOCK_MONOTONIC ns: nor does it take longer; WAIT_NEVER: no matter */
	unsigned turn;
	/* In each pass, also when something else ended the wait: 0 or a negative errno, which ends
	 * the pass.  NULL: nothing. */
	int (*work)(void *arg, uint64_t now);
	void *arg;
};

/* A zeroed one is empty. */
struct waits {
	VEC(struct loop_wait *) all; /* by turn, then as they came */
	struct pollfd *polled;	     /* room for all */
};

/*
 * Adds a wait that works in turn TURN of each pass: those of the lower turns go first, in one turn
 * those that were added earlier.  It lives in A, and waits for nothing yet.
 */
struct loop_wait *waits_add(struct arena *a, struct waits *w, unsigned turn,
	int (*work)(void *arg, uint64_t now), void *arg);

/* Waits for a descriptor, a deadline, UNTIL or a signal; not at all if a deadline is over. */
void waits_for(const struct waits *w, uint64_t until);

/* The work of the turns FIRST to LAST: 0 or the first one's error, after which nothing is done. */
int waits_work(const struct waits *w, unsigned first, unsigned last);

#endif
