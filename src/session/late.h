/* SPDX-License-Identifier: Apache-2.0 */
/*
 * late: probes of user code that come while tracing: in libraries that a process loads, in what it
 * executes, in processes that start, and, with option follow, in its children.
 */
#ifndef SESSION_LATE_H
#define SESSION_LATE_H

#include <stdbool.h>
#include <stdint.h>

struct dtrace;
struct late_probes;

/* Call it after programs are loaded and before they are attached: 0 or -errno and a message. */
int late_open(struct dtrace *d);
void late_close(struct late_probes *l); /* NULL: nothing */

/*
 * Call it after programs are attached and before targets go on; from then on each pass of the run
 * loop attaches to new probes and detaches from processes that ended.  0 or -errno and a message.
 */
int late_begin(struct dtrace *d);

/* True if clauses wait for a Java VM that has no agent yet. */
bool late_awaits_java(const struct dtrace *d);

/* Returns true if clauses compile only when their probes come; before late_open() as well. */
bool late_awaits_unchecked(const struct dtrace *d);

/* True if a process with few rights of its own can attach to the late probes of L. */
bool late_can_delegate(const struct late_probes *l);

/* Have a process with the capabilities CAPS attach from now on: 0 or -errno. */
int late_delegate(struct dtrace *d, uint64_t caps);

/* True if probes can come while tracing, and are looked for. */
bool late_is_open(const struct dtrace *d);

/* True if option follow is set and a child of a target, or a child's, lives that is no target. */
bool late_family_lives(struct dtrace *d);

/* Report the descriptions that matched nothing as long as tracing lasted. */
void late_ended(struct dtrace *d);

/* Returns the number of processes so far that ran before their probes were placed. */
uint64_t late_unplaced(const struct dtrace *d);

/* Returns the number of events so far that the kernel had no room for: each may be of a process. */
uint64_t late_unseen(const struct dtrace *d);

/* Free what late_work() removed.  Call it if the buffer was empty after the last late_work(). */
void late_consumed(struct dtrace *d);

#endif
