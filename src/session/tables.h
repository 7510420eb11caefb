/* SPDX-License-Identifier: Apache-2.0 */
/* tables: a session's aggregations: read from the kernel, changed by actions, shown. */
#ifndef SESSION_TABLES_H
#define SESSION_TABLES_H

#include <stdint.h>

struct dtrace;
struct event;

int tables_open(struct dtrace *d);

/* Carry out action I of EV: printa(), clear(), trunc(), normalize() or denormalize(). */
int tables_action(struct dtrace *d, const struct event *ev, uint32_t i);

/* Show the aggregations that printa() did not print. */
int tables_finish(struct dtrace *d);

#endif
