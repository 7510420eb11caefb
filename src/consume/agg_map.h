/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agg_map: the source of aggregations' values: the maps of the kernel, or arrays in a unit test.
 * Reads and empties them one by one; keeps none of their values.
 */
#ifndef CONSUME_AGG_MAP_H
#define CONSUME_AGG_MAP_H

#include "consume/agg_known.h"

#include <stdint.h>

struct agg_desc;
struct agg_rest;

/* PERCPU: one value a CPU, each agg_slot_size() long.  Not 0: stop, and return that. */
typedef int (*agg_visit_fn)(void *arg, const void *key, const void *percpu, uint32_t ncpus);

/* One of the aggregations in a map, and what its elements are visited with. */
struct agg_part {
	const struct agg_desc *agg;
	void *varg;
};

/*
 * Reads and empties maps.  All functions return 0, -errno or what the visitor returned.  The key of
 * a map without keys is the array's index, which may be visited although nothing was stored there.
 */
struct agg_store {
	int (*each)(void *arg, const struct agg_desc *agg, agg_visit_fn visit, void *varg);
	/* The same for the N aggregations that share a map, in order of their ids: read once. */
	int (*each_shared)(void *arg, const struct agg_part *parts, uint32_t n, agg_visit_fn visit);
	/*
	 * As each(), and remove each key (no keys: agg_reset_slot() each value).  -EINVAL where
	 * aggregations with keys share the map: use take_key().
	 */
	int (*take)(void *arg, const struct agg_desc *agg, agg_visit_fn visit, void *varg);
	/* One key; 0 without a visit if it is not there. */
	int (*take_key)(void *arg, const struct agg_desc *agg, const void *key, agg_visit_fn visit,
		void *varg);
	void *arg;
};

/*
 * The maps of a session.  The owner keeps the struct and what it points to while a store is used,
 * and calls agg_maps_close().
 */
struct agg_maps {
	const int *fds; /* by agg_desc.id; negative = no program updates it, so there is no map */
	struct load *load; /* its probes' firings are counted; NULL = none are */
	/*
	 * Firings that the kernel left out while it handed a map over.  Functions that it runs
	 * through meanwhile do not fire (bpf_disable_instrumentation()); that is no loss.
	 */
	uint64_t missed;
	/* Counts new keys (struct dt_state).  NULL: unknown, so that maps are always read whole. */
	const uint64_t *new_keys;
	struct agg_known_maps known;
	struct agg_rest *rest; /* keys that had no room in the maps; NULL: there can be none */
};

/* Returns how many keys the map of AGG has room for, of one CPU if the CPU is in them; 0: unknown.
 */
uint32_t agg_maps_room(const struct agg_maps *maps, const struct agg_desc *agg);

void agg_maps_close(struct agg_maps *maps);

struct agg_store agg_store_maps(struct agg_maps *maps);

#endif
