/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rectab: a hash table of records of one size, each a payload and a key compared bytewise.
 *
 * Records are numbered in insertion order and move when the table grows: hold numbers, not
 * pointers.  The owner calls rectab_fini(); a zeroed table that was never set up may be given too.
 */
#ifndef BASE_RECTAB_H
#define BASE_RECTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rectab {
	uint32_t key_len, payload; /* payload: a multiple of 8, may be 0 */
	size_t stride;		   /* 0 = not set up */
	char *recs;
	uint32_t n, cap;
	uint64_t *slots; /* high half of the hash << 32 | number + 1; 0 = free */
	uint32_t nslots; /* a power of two */
};

void rectab_init(struct rectab *t, uint32_t key_len, uint32_t payload);
void rectab_fini(struct rectab *t);

static inline void *rectab_rec(const struct rectab *t, uint32_t i)
{
	return t->recs + t->stride * i;
}

static inline const void *rectab_key(const struct rectab *t, uint32_t i)
{
	return t->recs + t->stride * i + t->payload;
}

/* Returns the number of KEY's record, or -ENOENT. */
int64_t rectab_find(const struct rectab *t, const void *key);

/* Returns the number of KEY's record, made if it is missing, with a zeroed payload; -ENOMEM. */
int64_t rectab_put(struct rectab *t, const void *key);

/* Keep the records for which KEEP says so, in their order. */
void rectab_filter(struct rectab *t, bool (*keep)(void *arg, void *rec), void *arg);

/* Returns a hash of LEN bytes; its high half is as good as its low one. */
uint64_t rectab_hash(const void *data, size_t len);

#endif
