/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agg_known: the keys that maps of aggregations are known to have.
 *
 * Reading a whole map costs the same for each of its buckets, used or not.  While no program makes
 * a new key, reading the known ones costs what is used.
 */
#ifndef CONSUME_AGG_KNOWN_H
#define CONSUME_AGG_KNOWN_H

#include "base/rectab.h"

#include <stdbool.h>
#include <stdint.h>

/* The keys of one map. */
struct agg_known {
	int fd;
	bool complete; /* no key is missing but those that were made after the first `made` */
	uint64_t made; /* dt_state.new_keys before the map was read */
	uint32_t most; /* more are not kept: reading the whole map is as fast */
	struct rectab keys;
};

/* Of all maps of a session; zeroed at first.  The owner calls agg_known_free(). */
struct agg_known_maps {
	struct agg_known *maps;
	uint32_t n;
};

/*
 * Returns what is known of the hash map FD, whose keys have KEY_SIZE bytes; NULL: no memory, or the
 * kernel does not tell its size.  Valid until the next call.
 */
struct agg_known *agg_known_of(struct agg_known_maps *all, int fd, uint32_t key_size);
/* Forgets all keys: the map will be read whole.  MADE: dt_state.new_keys now. */
void agg_known_begin(struct agg_known *k, uint64_t made);
/* Adds a key that was read: 0 or -ENOMEM. */
int agg_known_add(struct agg_known *k, const void *key);
/* The map was read to its end. */
void agg_known_end(struct agg_known *k);
/* Keys of map FD were deleted. */
void agg_known_forget(struct agg_known_maps *all, int fd);
void agg_known_free(struct agg_known_maps *all);

#endif
