/* SPDX-License-Identifier: Apache-2.0 */
/* drops: the losses since the last report, by cause and CPU, in DTrace's words. */
#ifndef CONSUME_DROPS_H
#define CONSUME_DROPS_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/kernel.h"

struct drops;

/* FD is the map DT_MAP_DROPS (borrowed), or -1: nothing is ever dropped. NULL: no memory. */
struct drops *drops_new(int fd);
void drops_free(struct drops *d);

/* Sets the number of drops for CAUSE that the consumer counts, beside the programs, to N. */
void drops_set(struct drops *d, enum dt_drop cause, uint64_t n);

/* Something that was lost. */
struct drop {
	const char *kind; /* "PRINCIPAL" */
	int cpu;	  /* -1 = not known by CPU */
	uint64_t count;	  /* since the last report */
	uint64_t total;	  /* of this kind and CPU */
	const char *text; /* "3 drops on CPU 1", with TAGS "[DTRACEDROP_PRINCIPAL] 3 drops ..." */
};

/*
 * Report each increase since the last call; VISIT returns 0 to go on, or what to stop with.
 * 0, that, or -errno.
 */
int drops_report(
	struct drops *d, bool tags, int (*visit)(void *arg, const struct drop *drop), void *arg);

/*
 * Repeats after the last report the totals of all reports, a line for each cause, if they reported
 * more than one thing about it ("7 drops in all: buffer full (CPU 0: 3, CPU 1: 4)").
 */
void drops_sum_up(struct drops *d, void (*line)(void *arg, const char *text), void *arg);

/* Returns how much was lost for CAUSE, as of the last report. */
uint64_t drops_total(const struct drops *d, enum dt_drop cause);

/* Returns the number of CPUs that there can be. */
uint32_t drops_cpus(const struct drops *d);

/* Returns what a program counted for CAUSE on CPU, as of the last report. */
uint64_t drops_on_cpu(const struct drops *d, enum dt_drop cause, uint32_t cpu);

/* True if anything was ever lost, as of the last report. */
bool drops_any(const struct drops *d);

#endif
