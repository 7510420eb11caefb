/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agg_tab: a hash table of records of one size, each a payload and a key compared bytewise.
 *
 * Records are numbered in insertion order and move when the table grows: hold numbers, not
 * pointers.  The owner calls tab_fini(); a zeroed table that was never set up may be given too.
 */
#ifndef CONSUME_AGG_TAB_H
#define CONSUME_AGG_TAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tab {
	uint32_t key_len, payload; /* payload: a multiple of 8, may be 0 */
	size_t stride;		   /* 0 = not set up */
	char *recs;
	uint32_t n, cap;
	uint64_t *slots; /* high half of the hash << 32 | number + 1; 0 = free */
	uint32_t nslots; /* a power of two */
};

void tab_init(struct tab *t, uint32_t key_len, uint32_t payload);
void tab_fini(struct tab *t);

static inline void *tab_rec(const struct tab *t, uint32_t i)
{
	return t->recs + t->stride * i;
}

static inline const void *tab_key(const struct tab *t, uint32_t i)
{
	return t->recs + t->stride * i + t->payload;
}

/* The number of KEY's record, or -ENOENT. */
int64_t tab_find(const struct tab *t, const void *key);

/* The same; a missing one is made, with a zeroed payload. -ENOMEM. */
int64_t tab_put(struct tab *t, const void *key);

/* Keep the records for which KEEP says so, in their order. */
void tab_filter(struct tab *t, bool (*keep)(void *arg, void *rec), void *arg);

/* Of LEN bytes; the high half is as good as the low one. */
uint64_t tab_hash(const void *data, size_t len);

#endif
