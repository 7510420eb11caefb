/* SPDX-License-Identifier: Apache-2.0 */
/* helper: what a process that is forked to serve the tracer gives up, and its end. */
#ifndef CONFINE_HELPER_H
#define CONFINE_HELPER_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Become a session of its own, with /dev/null as the standard files, which the reader of our output
 * would wait for, and without descriptors above 2 other than KEEP.
 */
void helper_detach(int keep);

/* Does the same, but keeps the N descriptors FDS, as 3 and up in this order; changes FDS to these.
 * 0 or -errno. */
int helper_detach_with(int *fds, int n);

/* Take all capabilities from the set that programs can ever get; without the right to, nothing.  0
 * or -errno. */
int helper_drop_bounding(void);

/* Give up all capabilities, core dumps and new privileges, for good.  0 or -errno. */
int helper_drop_capabilities(void);

/* Become user and group nobody for good if this process is root's, and take all capabilities from
 * the set that programs can ever get.  Another user keeps what it has.  0 or -errno. */
int helper_become_nobody(void);

/* True if somebody has stopped process PID, a child. */
bool helper_is_stopped(pid_t pid);

/* Wait until process PID, a child, has ended; after MS milliseconds, fewer if it is stopped, it is
 * killed. */
void helper_reap(pid_t pid, unsigned ms);

#endif
