/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pidns: pid namespaces, which are named by their inode numbers here (namespaces(7)); 0 stands for
 * the initial one.
 */
#ifndef COMPILE_PIDNS_H
#define COMPILE_PIDNS_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the namespace of this process. */
uint32_t pidns_own(void);

/* Stores the namespace of PROCESS ("self", "123") in *NS; 0 or a negative errno. */
int pidns_of(const char *process, uint32_t *ns);

/*
 * Returns the D text by which libraries get a task's process id and those of its thread, process
 * group and session: the inlines _task_tid[], _task_tgid[], _task_pgid[] and _task_sid[] of a
 * struct task_struct *.  In the initial namespace they are members of it; in an INNER one the
 * programs look for them.
 */
const char *pidns_text(bool inner);

#endif
