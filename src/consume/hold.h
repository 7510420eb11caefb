/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hold: copies of records that are delivered later: when tracing has stopped (bufpolicy fill and
 * ring), or one group's, a CPU's, after another's (temporal=no).
 */
#ifndef CONSUME_HOLD_H
#define CONSUME_HOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dt_rec;
struct hold;

/* NULL: no memory. */
struct hold *hold_new(void);
void hold_free(struct hold *h);

/* Keep a copy of REC as the last one of GROUP, a small number. 0 or -ENOMEM. */
int hold_add(struct hold *h, uint32_t group, const struct dt_rec *rec, size_t size);

/* Returns the total size of GROUP's records in bytes. */
uint64_t hold_bytes(const struct hold *h, uint32_t group);

/*
 * Hand everything to VISIT and forget it: in the order in which it came, or BY_GROUP in that order
 * group by group.  VISIT returns 0 to go on, or another value to stop, which is returned.
 */
int hold_deliver(struct hold *h, bool by_group,
	int (*visit)(void *arg, const struct dt_rec *rec, size_t size), void *arg);

#endif
