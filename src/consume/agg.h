/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agg: aggregations as the consumer sees them: snapshots of the per-CPU maps, merged, kept
 * between clear() and trunc(), sorted and joined into rows for a sink.
 */
#ifndef CONSUME_AGG_H
#define CONSUME_AGG_H

#include "base/arena.h"
#include "consume/event.h"

struct aggs;

/* Who prints a table; 0 or -errno. */
struct agg_out {
	int (*table)(void *arg, const struct agg_table *t);
	void *arg;
};

/* Sorting options, read at each use. */
struct agg_sort {
	bool key, rev;	      /* aggsortkey, aggsortrev */
	uint32_t keypos, pos; /* aggsortkeypos, aggsortpos */
};

/*
 * How the maps are read and written: the BPF system calls in a session, arrays in a unit test.
 * All return 0 or -errno.
 */
struct agg_store {
	/* Call VISIT for each key of AGG's map with its values, one of value_size a CPU. */
	int (*each)(void *arg, const struct agg_desc *agg,
		int (*visit)(void *varg, const void *key, const void *percpu, uint32_t ncpus),
		void *varg);
	int (*remove)(void *arg, const struct agg_desc *agg, const void *key);
	int (*zero)(void *arg, const struct agg_desc *agg); /* of one without keys */
	void *arg;
};

/* DESCS are borrowed. NULL: no memory. */
struct aggs *aggs_new(
	const struct agg_desc *const *descs, uint32_t n, const struct agg_store *store);
void aggs_free(struct aggs *a);

/* Read every map now. */
int aggs_snapshot(struct aggs *a);

/* Consumer-side actions; AGG is one of the descs. N of trunc: see the reference; 0 = all. */
int aggs_clear(struct aggs *a, const struct agg_desc *agg);
int aggs_trunc(struct aggs *a, const struct agg_desc *agg, int64_t n);
int aggs_normalize(struct aggs *a, const struct agg_desc *agg, uint64_t by); /* -EINVAL for 0 */

/*
 * Print LIST joined by key, sorted, to OUT: printa().  Marks them printed when there was a row.
 * Takes what the last snapshot holds.
 */
int aggs_print(struct aggs *a, const struct agg_desc *const *list, uint32_t n,
	const struct format *format, const struct agg_sort *sort, const struct agg_out *out);

/* Print each aggregation that printa() did not print, at the end of the session. */
int aggs_print_rest(struct aggs *a, const struct agg_sort *sort, const struct agg_out *out);

/* A store over BPF maps: FD finds a map by name (borrowed descriptors). */
struct agg_store agg_store_bpf(
	int (*fd)(void *arg, const char *map), void *arg, struct arena *arena);

#endif
