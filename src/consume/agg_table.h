/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agg_table: the aggregations of a session: snapshots of their maps, what clear(), trunc() and
 * normalize() did to them, and finished tables for sinks: merged, joined, sorted.
 *
 * The stages, in order: agg_map.c reads and empties the maps; agg_snapshot.c keeps what was read;
 * agg_table.c makes rows, whose keys agg_key.c rewrites and compares; agg_sort.c sorts them.
 *
 * clear() and trunc() remove what the last snapshot holds.  Updates since that snapshot show up in
 * the next one, so printa(@a); clear(@a) counts everything exactly once.  Take a snapshot before
 * consuming records.  clear() does not touch the maps of functions that add up: their values are
 * subtracted from then on.  Values of min() and max(), and elements that trunc() removes, are read
 * as they are deleted.  Two kinds of updates are lost:
 *  - one that a program makes on another CPU while the element is being deleted, after it has
 *    looked the element up, or zeroed (min() and max() without keys);
 *  - of min() and max(), those since the snapshot that did not change the extreme.
 */
#ifndef CONSUME_AGG_TABLE_H
#define CONSUME_AGG_TABLE_H

#include <stdbool.h>

#include "consume/agg_map.h"

struct agg_desc;
struct agg_sort;
struct agg_table;
struct aggs;
struct format;
struct stacks;

/* The surroundings of aggregations; all of it is borrowed. */
struct agg_env {
	struct agg_store store; /* copied */
	/*
	 * Finds the symbol or module of addresses in keys, so that addresses of one symbol merge,
	 * and reads the maps of processes in keys while they live.  NULL: neither.
	 */
	struct symtab *syms;
	struct stacks *stacks; /* that keys name; NULL: none do */
	/*
	 * Returns the probe with this id.  DATUM_PROBEID keys sort by the name they stand for, and
	 * keys with the same name merge.  Called once for each (part, id).  NULL: keys stay
	 * numbers.
	 */
	const struct probe *(*probe)(void *arg, uint64_t id);
	void *arg;
	bool percpu; /* keep each CPU's values too (agg_value.cpus) */
};

/* ENV is copied, DESCS are borrowed. NULL: no memory. */
struct aggs *aggs_new(const struct agg_env *env, const struct agg_desc *const *descs, uint32_t n);
/*
 * The same for more: DESCS holds all that A had, of which those without data may have another form.
 * 0, or -ENOMEM: A is as before.
 */
int aggs_extend(
	struct aggs *a, const struct agg_env *env, const struct agg_desc *const *descs, uint32_t n);
void aggs_free(struct aggs *a);

/* Read every map now. 0 or -errno. */
int aggs_snapshot(struct aggs *a);

/* Returns the aggregation that has most keys, and how many, as of the last snapshot; NULL, 0: none.
 */
const struct agg_desc *aggs_fullest(const struct aggs *a, uint32_t *keys);

/* Calls VISIT with the id of each stack that a key names, as of the last snapshot. */
void aggs_each_stack(const struct aggs *a, void (*visit)(void *arg, uint64_t id), void *arg);

/*
 * Consumer-side actions; AGG is one of the descs (-ENOENT otherwise).  N of trunc: keep the N
 * largest, or the -N smallest; 0 keeps none.
 */
int aggs_clear(struct aggs *a, const struct agg_desc *agg);
int aggs_trunc(struct aggs *a, const struct agg_desc *agg, int64_t n);
int aggs_normalize(struct aggs *a, const struct agg_desc *agg, uint64_t by); /* -EINVAL for 0 */

/*
 * The functions below make tables from the last snapshot.  The caller owns *OUT and passes it to
 * agg_table_free() before the next call with A.  They return 0, or -errno with *OUT NULL.
 */

/*
 * Join LIST by key, as printa() does.  Those that have keys count as printed.  Without any key the
 * table has no rows.
 */
int aggs_print(struct aggs *a, const struct agg_desc *const *list, uint32_t n,
	const struct format *format, const struct agg_sort *sort, struct agg_table **out);

/* Make the table of AGG alone, which does not count as printed.  *OUT NULL: it has no keys. */
int aggs_walk(struct aggs *a, const struct agg_desc *agg, const struct agg_sort *sort,
	struct agg_table **out);

/*
 * Makes, at the end of the session, the table of the next aggregation, by id, that has keys and
 * that printa() did not print.  *AT is 0 for the first call and then the function's.  *OUT NULL:
 * there are no more.
 */
int aggs_rest(struct aggs *a, const struct agg_sort *sort, uint32_t *at, struct agg_table **out);

/* True if aggs_rest() may find one. */
bool aggs_has_rest(const struct aggs *a);

void agg_table_free(struct agg_table *t);

#endif
