/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mapwatch: the executable mappings of processes as they are made, from the kernel's perf events
 * (perf_event_open(2): PERF_RECORD_MMAP2, _FORK, _COMM, _EXIT, _NAMESPACES).  A process that comes
 * and goes between two looks at /proc is seen this way.  Unmapping isn't told.
 *
 * It is a help, never needed: where the kernel refuses it, or when too much happened at a time,
 * something is missing.  How much is told, except on kernels before 6.0, which tell it only when
 * something else happens on the same CPU.
 */
#ifndef SYM_MAPWATCH_H
#define SYM_MAPWATCH_H

#include <sys/types.h>

#include "sym/sym_priv.h"

struct mapwatch;

enum mapwatch_kind {
	MAPWATCH_FORK, /* PID is new, a copy of PARENT */
	MAPWATCH_EXEC, /* PID has a new program; its mappings follow */
	MAPWATCH_MAP,  /* PID has mapped MAP */
	MAPWATCH_EXIT, /* a thread of PID has ended, perhaps its last */
	MAPWATCH_NET,  /* PID is new, or has other namespaces: NET is that of its network */
	MAPWATCH_LOST, /* COUNT events did not fit; told after the others, with a PID of 0 */
};

struct mapwatch_event {
	enum mapwatch_kind kind;
	bool first; /* MAPWATCH_EXIT: the thread was the first one of PID */
	pid_t pid, parent;
	uint64_t time;	     /* CLOCK_MONOTONIC ns */
	uint64_t generation; /* of the inode of MAP: its number may have been another file's */
	uint64_t count;
	uint64_t net;	     /* inode number */
	struct map_line map; /* lives as long as the call */
};

/* Watch all processes from now on; WAKES: somebody polls.  NULL: refused, or no memory. */
struct mapwatch *mapwatch_new(bool wakes);

/* The same for their network namespaces alone (MAPWATCH_NET, MAPWATCH_LOST); somebody polls. */
struct mapwatch *mapwatch_new_nets(void);

void mapwatch_free(struct mapwatch *w);

/* Returns, if WAKES was set, a descriptor for poll(2), readable when something has happened. */
int mapwatch_fd(const struct mapwatch *w);

/* Call FN for what happened since the last time, in order.  Costs next to nothing if nothing did.
 */
void mapwatch_drain(
	struct mapwatch *w, void (*fn)(void *arg, const struct mapwatch_event *e), void *arg);

/*
 * Returns a descriptor of the file that E, a MAPWATCH_MAP, maps, also if the process has ended and
 * its path leads there; or -1.  BY, or NULL, opens it for us (confine/looker.h).
 */
struct looker;
int mapwatch_open(const struct looker *by, const struct mapwatch_event *e);

#endif
