/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watch: which processes start, execute, map code and end, as the kernel tells it from the moment
 * of watch_open(): perf's side-band records (perf_event_open(2), PERF_RECORD_MMAP2 and others), of
 * all processes.  They say that something is to be looked at, /proc says what.
 */
#ifndef LOAD_WATCH_H
#define LOAD_WATCH_H

#include <sys/types.h>

struct watch;

enum watch_what {
	WATCH_FORK, /* PID is new, PARENT is its parent */
	WATCH_EXEC, /* has called execve(2) */
	WATCH_MAP,  /* has mapped a file executable */
	WATCH_EXIT, /* its last thread, or another one, has ended: see whether it is still there */
	WATCH_LOST, /* PID 0: there was more than could be told */
};

/* NULL and a negative errno in *ERR. */
struct watch *watch_open(int *err);
void watch_close(struct watch *w); /* NULL: nothing */

/* A descriptor for poll(2), readable when there is something to be told. */
int watch_fd(const struct watch *w);

/* Call FN for what has happened, in order for what one process did on one CPU. */
void watch_read(struct watch *w,
	void (*fn)(void *arg, enum watch_what what, pid_t pid, pid_t parent), void *arg);

#endif
