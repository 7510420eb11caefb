/* SPDX-License-Identifier: Apache-2.0 */
/* tables: a session's aggregations: read from the kernel, changed by actions, shown. */
#ifndef SESSION_TABLES_H
#define SESSION_TABLES_H

#include <stdint.h>

struct dtrace;
struct event;

int tables_open(struct dtrace *d);

/* One of printa(), clear(), trunc(), normalize(), denormalize(): action I of EV. */
int tables_action(struct dtrace *d, const struct event *ev, uint32_t i);

/* Show what printa() did not print. */
int tables_finish(struct dtrace *d);

#endif
