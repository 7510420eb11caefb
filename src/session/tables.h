/* SPDX-License-Identifier: Apache-2.0 */
/* tables: a session's aggregations: read from the kernel, changed by actions, shown. */
#ifndef SESSION_TABLES_H
#define SESSION_TABLES_H

#include <stdint.h>

struct agg_table;
struct dtrace;
struct event;

/* Of all aggregations that d->image has; again when it has more.  0 or -ENOMEM. */
int tables_open(struct dtrace *d);

/* Carry out action I of EV: printa(), clear(), trunc(), normalize() or denormalize(). */
int tables_action(struct dtrace *d, const struct event *ev, uint32_t i);

/*
 * Read the aggregations and call VISIT for each that has keys, sorted as the options say.  0, or
 * what VISIT or reading gave.
 */
int tables_each(struct dtrace *d, int (*visit)(void *arg, const struct agg_table *t), void *arg);

/* The same at the end, unless nothing is to be shown and no stack may be found lost. */
int tables_refresh_last(struct dtrace *d);

/* Says how much room would have been enough for the keys that were lost, unless the user chose it.
 */
void tables_advise(struct dtrace *d);

/* Frees the stacks that no key names any more, if they take much memory. */
int tables_free_stacks(struct dtrace *d);

/* Show the aggregations that printa() did not print. */
int tables_finish(struct dtrace *d);

/* Say how many printa() were skipped because they were late. */
void tables_tell_late(struct dtrace *d);

#endif
