/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uprobe: the system calls that attach a program to places in user code.
 *
 * Knows nothing of loads: whoever has the rights calls it, the tracer or its deputy.
 */
#ifndef LOAD_UPROBE_H
#define LOAD_UPROBE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Places of one file, in one process or in all. */
struct uprobe_places {
	int file;     /* its descriptor */
	pid_t pid;    /* 0: in all */
	bool ret;     /* the returns of the functions that begin there */
	bool entries; /* not RET: of a program that is for returns */
	uint32_t n;   /* of each array */
	const uint64_t *offsets, *cookies;
	const uint64_t *semaphores; /* NULL: there are none */
};

/* Attaches PROG to all of P by one link (uprobe.multi, Linux 6.6).  Returns it, or -errno. */
int uprobe_link(int prog, const struct uprobe_places *p);

/* The "uprobe" PMU of perf_event_open(2). */
struct uprobe_pmu {
	uint32_t type;
	uint32_t return_bit; /* of its config */
};

/* 0, or -errno: the kernel has none. */
int uprobe_pmu(struct uprobe_pmu *pmu);

/* Attaches PROG to the one place of P, by an event.  Returns the link, or -errno. */
int uprobe_event(int prog, const struct uprobe_pmu *pmu, const struct uprobe_places *p, int *event);

#endif
