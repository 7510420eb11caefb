/* SPDX-License-Identifier: Apache-2.0 */
/*
 * progress: while many probes are enabled, a line on the terminal that says how far that is.  It
 * appears after a second, and goes when it is over.
 */
#ifndef CMD_PROGRESS_H
#define CMD_PROGRESS_H

#include <dtrace/dtrace.h>
#include <pthread.h>
#include <stdbool.h>

struct progress {
	const struct dtrace *d;
	bool running, over;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t ended;
};

/* Nothing is shown where stderr is no terminal. */
void progress_begin(struct progress *p, const struct dtrace *d);
void progress_end(struct progress *p);

#endif
