/* SPDX-License-Identifier: Apache-2.0 */
/*
 * late: probes of user code that come while tracing: in libraries that a process loads, in what it
 * executes, in processes that start, and, with option follow, in its children.
 */
#ifndef SESSION_LATE_H
#define SESSION_LATE_H

struct dtrace;
struct late_probes;

/* Once programs are loaded, before they are attached: 0 or -errno and a message. */
int late_open(struct dtrace *d);
void late_close(struct late_probes *l); /* NULL: nothing */

/* A descriptor for poll(2), -1 = there is nothing to wait for. */
int late_fd(const struct dtrace *d);

/* Attach to what has come, let go of what is gone: 0 or -errno and a message. */
int late_work(struct dtrace *d);

/* The buffer was empty after the last late_work(): what it forgot is needed no longer. */
void late_consumed(struct dtrace *d);

#endif
