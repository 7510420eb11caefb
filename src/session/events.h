/* SPDX-License-Identifier: Apache-2.0 */
/*
 * events: makes events of records and hands them to the sinks.
 *
 * Functions return 0 or a negative errno, with an error in the report.
 */
#ifndef SESSION_EVENTS_H
#define SESSION_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

struct dt_rec;
struct dtrace;
struct event;
struct probe;

/* Open buffers, sinks and aggregations of the loaded programs. */
int events_open(struct dtrace *d);
/* The same of those that were loaded since. */
int events_more(struct dtrace *d);

/*
 * Fill in EV, which refers to REC of SIZE bytes.  False: REC is not the whole record of a clause.
 */
bool event_of(struct dtrace *d, const struct dt_rec *rec, size_t size, struct event *ev);

/* True if P is dtrace:::NAME. */
bool events_is_probe(const struct probe *p, const char *name);

/*
 * Hand REC of SIZE bytes, which is in no speculation, to the sinks and carry out its actions.  ARG
 * is the struct dtrace.  Returns -ECANCELED after a fault that ends tracing (option errexit).
 */
int events_show(void *arg, const struct dt_rec *rec, size_t size);

/*
 * All records of BEGIN were shown: show those that ERROR made for faults in BEGIN.  Does nothing
 * if called again.
 */
int events_begun(struct dtrace *d);

/* Print the remaining aggregations and end the outputs. */
int events_finish(struct dtrace *d);

/* Note the maps of the named processes (named.h), which may be gone when addresses are looked up.
 */
void events_remember_named(struct dtrace *d);

#endif
