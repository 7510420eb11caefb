/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deputy: a process that keeps the rights which late probes need, so that the tracer, which reads
 * the files of others, can give them up.
 *
 * It does what cannot hurt much in the wrong hands: it opens ELF files and a few files of /proc for
 * reading, and attaches programs of this load that wait for late probes.  It parses nothing, prints
 * nothing and allocates nothing.  Links are the tracer's alone: nothing stays attached after it.
 * The deputy ends with the tracer, whatever ends that.
 */
#ifndef LOAD_DEPUTY_H
#define LOAD_DEPUTY_H

#include <stdbool.h>
#include <stdint.h>

#include "load/uprobe.h"

struct deputy;
struct looker;

/* What may be done with a program of the load. */
struct deputy_row {
	int prog; /* its descriptor; -1: it does not wait for probes */
	bool ret, entries, multi, shared, counters; /* as in its plan (probe/attach.h) */
};

struct deputy_table {
	struct deputy_row *rows;
	uint32_t n;
	uint32_t most; /* places that a link may have */
	struct uprobe_pmu pmu;
};

/*
 * Starts a deputy with the capabilities CAPS, as far as we have them, for the programs of T, which
 * may be freed afterwards.  It ends with the calling thread.  NULL and *ERR: a negative errno.
 */
struct deputy *deputy_start(const struct deputy_table *t, uint64_t caps, int *err);

/* Ends it; NULL: nothing. */
void deputy_free(struct deputy *d);

pid_t deputy_pid(const struct deputy *d);

/* True if it has ended: requests are answered by -EPIPE. */
bool deputy_has_ended(struct deputy *d);

/*
 * Attaches program PROG, by its number in the table, to P, all of which its kind may have: returns
 * the link, and *EVENT, its event or -1; or a negative errno.
 */
int deputy_link(struct deputy *d, uint32_t prog, const struct uprobe_places *p, int *event);

/* Returns who opens files of processes by it. */
const struct looker *deputy_looker(struct deputy *d);

#endif
