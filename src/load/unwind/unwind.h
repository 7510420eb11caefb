/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unwind: the tables for user stacks, in the maps of a load whose programs call dt_ustack().
 *
 * A thread answers what the walker asks for: it reads /proc/PID/maps and makes the tables of what
 * is mapped there, while tracing goes on.  Tables are shared by all processes and kept for a while
 * when none has them mapped; a process's list goes soon after its end.
 */
#ifndef LOAD_UNWIND_H
#define LOAD_UNWIND_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct attach_site;
struct load;

/*
 * Starts the unwinder; call it when L is open and before anything fires, and after load_more();
 * load_close() ends it.  Does nothing if no program of L asks for user stacks, and neither do the
 * other functions.  0 or a negative errno.
 */
int unwind_start(struct load *l);

/*
 * Makes process PID's tables before it returns.  Not needed, but then its first stacks may be
 * short.  From any thread.  0, or a negative errno: it has none, for instance because it has ended.
 */
int unwind_add(struct load *l, pid_t pid);

/*
 * Makes the tables of the files of N sites, and those of all that their processes have mapped,
 * before it returns: call it before the sites are attached.  What cannot be read is left out.
 * With no site it waits for the tables of the C library.
 */
void unwind_prepare(struct load *l, const struct attach_site *sites, uint32_t n);

/*
 * Lets the thread give up all capabilities but KEEP (confine/privilege.h) before it returns: each
 * thread has its own.  0 or a negative errno.
 */
int unwind_keep(struct load *l, uint64_t keep);

/* Returns a line for the user, once: the tables have reached their limit.  NULL: there is none. */
const char *unwind_message(struct load *l);

/* True if a program of L asks for user stacks. */
bool unwind_is_used(const struct load *l);

/* Returns the CPU time of the thread that answers, in ns; 0: there is none. */
uint64_t unwind_cpu_ns(const struct load *l);

/* For tests and messages: bytes of kernel memory that the pool has, and of its pages in use. */
struct unwind_stats {
	uint64_t pool, used;
	uint32_t objects, processes;
	uint32_t requests; /* answered */
};
void unwind_stats(struct load *l, struct unwind_stats *out);

#endif
