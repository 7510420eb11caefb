/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agg_rest: the keys of aggregations that had no room in their maps.
 *
 * A program hands the update of such a key over in a ring buffer (struct dt_agg_rest), from which
 * it is added up here.  A key can have values here and in its map: the map filled, and was emptied,
 * or had no room at that moment.  Keys are those of the map, with 0 for the CPU's number.
 */
#ifndef CONSUME_AGG_REST_H
#define CONSUME_AGG_REST_H

#include <stdbool.h>
#include <stdint.h>

#include "consume/agg_map.h"

struct agg_rest;

/*
 * Reads the ring buffer FD, borrowed.  MOST: bytes that the keys may take.  PERCPU: keep the value
 * of each CPU apart.  NULL and errno on failure.
 */
struct agg_rest *agg_rest_new(int fd, uint64_t most, bool percpu, uint32_t ncpus);
void agg_rest_free(struct agg_rest *r);

/* Makes AGG known, which stays the caller's; it has keys.  0 or -ENOMEM. */
int agg_rest_add(struct agg_rest *r, const struct agg_desc *agg);

/* Returns a descriptor that poll(2) finds readable when updates wait. */
int agg_rest_fd(const struct agg_rest *r);

/* Adds up the updates that wait.  0 or -errno. */
int agg_rest_follow(struct agg_rest *r);

/* Returns the updates that were lost because there was no memory for their keys. */
uint64_t agg_rest_lost(const struct agg_rest *r);

/* Begins a reading of the map of AGG: all its keys count as not joined. */
void agg_rest_begin(struct agg_rest *r, const struct agg_desc *agg);
/* Adds what KEY of AGG has here to VALUES, which has a slot for each CPU. */
void agg_rest_join(struct agg_rest *r, const struct agg_desc *agg, const void *key, void *values);
/* Visits the keys of AGG that were not joined.  0, -errno, or what VISIT returned. */
int agg_rest_others(struct agg_rest *r, const struct agg_desc *agg, agg_visit_fn visit, void *varg);

/* Forgets all keys of AGG. */
void agg_rest_forget(struct agg_rest *r, const struct agg_desc *agg);
/* Forgets KEY of AGG, and visits it before unless it was joined.  Returns as agg_rest_others(). */
int agg_rest_take_key(struct agg_rest *r, const struct agg_desc *agg, const void *key,
	agg_visit_fn visit, void *varg);

#endif
