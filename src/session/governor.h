/* SPDX-License-Identifier: Apache-2.0 */
/*
 * governor: watches what the probes cost (options maxoverhead and overload, limit overhead), and
 * whether the consumer keeps up (option deadman).
 *
 * The kernel measures for 10 ms of each second, because measuring costs some 50 ns for each firing.
 * If that is beyond the limit it measures for a whole second, and what happens then depends on that
 * alone.  If maxoverhead was given, the CPU time of the thread that reads the records counts as
 * well, and of the one that prepares user stacks; that of processes that we start does not.
 */
#ifndef SESSION_GOVERNOR_H
#define SESSION_GOVERNOR_H

#include <stdbool.h>
#include <stdint.h>

struct dtrace;
struct loop_wait;

enum governor_phase {
	GOVERNOR_OFF,
	GOVERNOR_RESTS,
	GOVERNOR_LOOKS,	   /* for 10 ms */
	GOVERNOR_CONFIRMS, /* for a second */
};

struct governor {
	enum governor_phase phase;
	uint64_t since;		/* CLOCK_MONOTONIC ns: of the phase */
	struct loop_wait *wait; /* for its end; NULL: nothing is measured */
	bool warned;		/* and it has not been below half the limit since */
	bool no_stacks;		/* user stacks are left out */
	bool over;		/* tracing is to end */
	uint64_t cpu;		/* ns of CPU time that the consumer had taken at `since` */
	/* of all CPUs, in 1/1000, when it was last confirmed: of the probes, and of the consumer */
	unsigned share, reading;
};

/* True if the cost has to be measured: maxoverhead was given, or there is a limit. */
bool governor_is_wanted(const struct dtrace *d);

/*
 * Begin to measure in the run loop, at NOW (CLOCK_MONOTONIC ns).  0 or -errno, with an error in the
 * report: maxoverhead was given and the kernel does not let us measure.
 */
int governor_begin(struct dtrace *d, uint64_t now);

/* Tell the programs that the consumer keeps up. */
void governor_alive(struct dtrace *d, uint64_t now);

/* True if the programs found that it did not, and stopped tracing. */
bool governor_is_dead(const struct dtrace *d);

/* Set the error for which tracing ended, if it was deadman or maxoverhead; 0 or -errno. */
int governor_verdict(struct dtrace *d);

#endif
