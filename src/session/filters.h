/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filters: which tasks are traced (options cgroup, pidns), and in which pid namespace pids are
 * numbers.
 */
#ifndef SESSION_FILTERS_H
#define SESSION_FILTERS_H

#include "session/handle.h"

/* The pid namespace that we are in, by its inode number; 0 = the initial one. */
uint32_t pidns_own(void);

/*
 * What the options name exists: into T what code is generated for.  0 or a negative errno and a
 * message that says which option is wrong and why.
 */
int filters_resolve(struct dtrace *d, struct target *t);

/* Give the loaded programs the control group that they look for; 0 or as above. */
int filters_install(struct dtrace *d);

/*
 * How libraries get a task's process id and those of its thread, process group and session: the
 * inlines _task_tid[], _task_tgid[], _task_pgid[] and _task_sid[] of a struct task_struct *.  In
 * the initial pid namespace they are members of it, in an INNER one they have to be looked for.
 */
const char *pidns_text(bool inner);

#endif
