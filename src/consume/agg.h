/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agg: aggregations as the consumer sees them: snapshots of the per-CPU maps, merged, kept
 * between clear() and trunc(), sorted and joined into rows for a sink.
 *
 * Knows maps only through struct agg_store, symbols and probes only through the two hooks.
 * What it makes is on the heap and freed by aggs_free(); a table and all it points to live
 * until the call of agg_out.table returns.
 *
 * clear() and trunc() take away what the last snapshot holds, and what the programs added since
 * then shows up in the next one: printa(@a); clear(@a) counts everything exactly once.
 * So take a snapshot before consuming records.  To make that so, clear() leaves the maps of
 * functions that add up alone and subtracts from then on; min() and max() and what trunc()
 * removes are read as they are deleted.  Lost is only
 *  - an update that a program does on another CPU while its element is being deleted (it has
 *    looked it up already), or zeroed (min() and max() without keys);
 *  - of min() and max(): updates since the snapshot that did not change the extreme.
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

/* PERCPU: one value a CPU, each agg_slot_size() long.  Not 0: stop, and return that. */
typedef int (*agg_visit_fn)(void *arg, const void *key, const void *percpu, uint32_t ncpus);

/*
 * How the maps are read and emptied: the BPF system calls in a session, arrays in a unit test.
 * All return 0, -errno or what the visitor returned.  The key of a map without keys is the
 * array's index, which may be visited although nothing was ever stored there.
 */
struct agg_store {
	int (*each)(void *arg, const struct agg_desc *agg, agg_visit_fn visit, void *varg);
	/* The same, and remove each key (no keys: agg_reset_slot() each value). */
	int (*take)(void *arg, const struct agg_desc *agg, agg_visit_fn visit, void *varg);
	/* One key; 0 without a visit when it is not there. */
	int (*take_key)(void *arg, const struct agg_desc *agg, const void *key, agg_visit_fn visit,
		void *varg);
	void *arg;
};

/* Bytes from one CPU's value to the next, as the kernel lays them out: a multiple of 8. */
static inline uint32_t agg_slot_size(const struct agg_desc *agg)
{
	return (agg->value_size + 7) & ~7u;
}

/* What a value in an array is to hold to count as never updated: 0, or the initial extreme. */
void agg_reset_slot(const struct agg_desc *agg, void *slot);

/* DESCS are borrowed; STORE is copied. NULL: no memory. */
struct aggs *aggs_new(
	const struct agg_desc *const *descs, uint32_t n, const struct agg_store *store);
void aggs_free(struct aggs *a);

/*
 * Let REDUCE rewrite the bytes of each DATUM_SYM, MOD, USYM and UMOD key to the start of its
 * symbol or module: keys that become equal merge.
 */
void aggs_set_reduce(
	struct aggs *a, void (*reduce)(void *arg, const struct datum *d, void *bytes), void *arg);

/*
 * Let TEXT tell what a DATUM_PROBEID key reads as: it sorts by that, and keys that read the same
 * merge.  Asked once for each (part, id); the answer is copied.
 */
void aggs_set_key_text(struct aggs *a,
	const char *(*text)(void *arg, const struct datum *d, const void *bytes), void *arg);

/* Keep each CPU's values too (agg_value.cpus).  Call before the first snapshot. */
void aggs_set_percpu(struct aggs *a, bool percpu);

/* Read every map now. */
int aggs_snapshot(struct aggs *a);

/*
 * Consumer-side actions; AGG is one of the descs (-ENOENT otherwise).  N of trunc: keep the N
 * largest, or the -N smallest; 0 keeps none.
 */
int aggs_clear(struct aggs *a, const struct agg_desc *agg);
int aggs_trunc(struct aggs *a, const struct agg_desc *agg, int64_t n);
int aggs_normalize(struct aggs *a, const struct agg_desc *agg, uint64_t by); /* -EINVAL for 0 */

/*
 * Print LIST joined by key, sorted, to OUT: printa().  OUT is called once, also without rows.
 * Marks those printed of which there was a key.  Takes what the last snapshot holds.
 */
int aggs_print(struct aggs *a, const struct agg_desc *const *list, uint32_t n,
	const struct format *format, const struct agg_sort *sort, const struct agg_out *out);

/* AGG's table to OUT, if it has keys; it does not count as printed. */
int aggs_walk(struct aggs *a, const struct agg_desc *agg, const struct agg_sort *sort,
	const struct agg_out *out);

/*
 * Print each aggregation that has keys and that printa() did not print, at the end of the
 * session: a table each, by id.
 */
int aggs_print_rest(struct aggs *a, const struct agg_sort *sort, const struct agg_out *out);

/* A store over BPF maps: FD finds a map by name (borrowed descriptors; negative = none). */
struct agg_store agg_store_bpf(
	int (*fd)(void *arg, const char *map), void *arg, struct arena *arena);

#endif
