/* SPDX-License-Identifier: Apache-2.0 */
/*
 * delivery: reads the buffers and delivers their records in the order of options bufpolicy and
 * temporal.
 *
 * Functions return 0 or a negative errno, with an error in the report.
 */
#ifndef SESSION_DELIVERY_H
#define SESSION_DELIVERY_H

#include <stdbool.h>

struct dtrace;

/* Open the buffers of the loaded programs. */
int delivery_open(struct dtrace *d);

/*
 * Deliver at most MOST records of the buffers (0 = all).  With bufpolicy fill or ring, records are
 * delivered only when LAST is true.
 */
int delivery_consume(struct dtrace *d, long most, bool last);

/* Empty the buffers; the last delivery_consume() delivers the records. */
int delivery_hold(struct dtrace *d);

/* True with bufpolicy=fill if a CPU's buffer is full. */
bool delivery_filled(const struct dtrace *d);

#endif
