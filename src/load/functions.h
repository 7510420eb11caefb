/* SPDX-License-Identifier: Apache-2.0 */
/* functions: the kernel functions and trace events that can be traced, as tracefs lists them. */
#ifndef LOAD_FUNCTIONS_H
#define LOAD_FUNCTIONS_H

#include <stdint.h>

struct arena;
struct features;

/*
 * All functions that ftrace can instrument, in the kernel's order, and their number in *N; the
 * addresses are there on kernels from 6.5 on.  In A; NULL: there is no tracefs or no function
 * tracer.
 */
const struct kernel_function *load_functions(struct features *f, struct arena *a, uint32_t *n);

/*
 * Lists all trace events except those of system calls and those made at run time, by group and
 * name.  In A; NULL: there is no tracefs.
 */
const struct kernel_event *load_events(struct features *f, struct arena *a, uint32_t *n);

/*
 * Returns the event's file "format" (Documentation/trace/events.rst), in A; NULL: it cannot be
 * read.
 */
const char *load_event_format(struct features *f, struct arena *a, const struct kernel_event *e);

/* Returns the event's number, for perf_event_open(2), or -errno. */
int load_event_number(struct features *f, const struct kernel_event *e);

#endif
