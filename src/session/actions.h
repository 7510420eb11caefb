/* SPDX-License-Identifier: Apache-2.0 */
/* actions: what the consumer itself does about an action, after the sinks have seen it. */
#ifndef SESSION_ACTIONS_H
#define SESSION_ACTIONS_H

#include <stdint.h>

struct datum;
struct dtrace;
struct event;

/* Carry out action I of EV; 0 or a negative errno that ends the session. */
int actions_carry_out(struct dtrace *d, const struct event *ev, uint32_t i);

/* Returns the integer that K describes in the record DATA, extended by its sign. */
int64_t actions_integer(const void *data, const struct datum *k);

#endif
