/* SPDX-License-Identifier: Apache-2.0 */
/*
 * events: records of programs, from the buffers to the sinks.
 *
 * Functions return 0 or a negative errno, with an error in the report.
 */
#ifndef SESSION_EVENTS_H
#define SESSION_EVENTS_H

#include <stdbool.h>

struct dtrace;

/* Open buffers, sinks and aggregations of the loaded programs. */
int events_open(struct dtrace *d);

/*
 * Hand what is in the buffer to the sinks, at most MOST records (0 = all); with bufpolicy fill or
 * ring only when it is the LAST time.
 */
int events_consume(struct dtrace *d, long most, bool last);

/* Take what is in the buffer out of it, for the last time of events_consume(). */
int events_hold(struct dtrace *d);

/* True with bufpolicy=fill if a CPU's buffer is full. */
bool events_filled(struct dtrace *d);

/* Print what was not printed yet, and end the outputs. */
int events_finish(struct dtrace *d);

/* Note the maps of the target while it lives: its addresses are looked up when it may be gone. */
void events_remember_target(struct dtrace *d);

#endif
