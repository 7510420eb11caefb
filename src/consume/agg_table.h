/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agg_table: the aggregations of a session: snapshots of their maps, what clear(), trunc() and
 * normalize() did to them, and finished tables for sinks: merged, joined, sorted.
 *
 * From the maps to a table it goes one way: agg_map.c reads and empties maps; agg_snapshot.c keeps
 * what was read; agg_table.c makes rows of it, whose keys agg_key.c rewrites and compares;
 * agg_sort.c sorts them.
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
#ifndef CONSUME_AGG_TABLE_H
#define CONSUME_AGG_TABLE_H

#include "consume/agg_map.h"
#include "consume/agg_sort.h"
#include "consume/event.h"

struct aggs;

/* The surroundings of aggregations; all of it is borrowed. */
struct agg_env {
	struct agg_store store; /* copied */
	/*
	 * Keys that are addresses become the start of their symbol or module, so that those of one
	 * symbol merge; processes in keys are learned of while they live.  NULL: neither.
	 */
	struct symtab *syms;
	/*
	 * The probe with this id.  A DATUM_PROBEID key sorts by the name that it stands for, and
	 * those that read the same merge; asked once for each (part, id).  NULL: they are numbers.
	 */
	const struct probe *(*probe)(void *arg, uint32_t id);
	void *arg;
	bool percpu; /* keep each CPU's values too (agg_value.cpus) */
};

/* ENV is copied, DESCS are borrowed. NULL: no memory. */
struct aggs *aggs_new(const struct agg_env *env, const struct agg_desc *const *descs, uint32_t n);
void aggs_free(struct aggs *a);

/* Read every map now. 0 or -errno. */
int aggs_snapshot(struct aggs *a);

/*
 * Consumer-side actions; AGG is one of the descs (-ENOENT otherwise).  N of trunc: keep the N
 * largest, or the -N smallest; 0 keeps none.
 */
int aggs_clear(struct aggs *a, const struct agg_desc *agg);
int aggs_trunc(struct aggs *a, const struct agg_desc *agg, int64_t n);
int aggs_normalize(struct aggs *a, const struct agg_desc *agg, uint64_t by); /* -EINVAL for 0 */

/*
 * Tables, of what the last snapshot holds.  *OUT is the caller's, who passes it to
 * agg_table_free() before the next call about A.  0 or -errno, and then *OUT is NULL.
 */

/* LIST joined by key: printa().  It has no rows if there are no keys; else it is marked printed. */
int aggs_print(struct aggs *a, const struct agg_desc *const *list, uint32_t n,
	const struct format *format, const struct agg_sort *sort, struct agg_table **out);

/* AGG alone, which does not count as printed.  NULL: it has no keys. */
int aggs_walk(struct aggs *a, const struct agg_desc *agg, const struct agg_sort *sort,
	struct agg_table **out);

/*
 * At the end of the session: the next aggregation, by id, that has keys and that printa() did not
 * print.  *AT, 0 at first, says where to go on.  NULL: there is no other.
 */
int aggs_rest(struct aggs *a, const struct agg_sort *sort, uint32_t *at, struct agg_table **out);

void agg_table_free(struct agg_table *t);

#endif
