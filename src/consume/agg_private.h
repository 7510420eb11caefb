/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agg_private: what the files agg*.c share.
 *
 * From the maps to a table:
 *   raw   (agg_raw.c)  one record a map key, kept from snapshot to snapshot: what the kernel
 *                      holds, and what clear() and trunc() took away;
 *   rows  (agg_rows.c) one row a key as the user sees it: buckets gathered, symbols and probe
 *                      names merged;
 *   join  (agg_join.c) rows of several aggregations with equal keys;
 *   sort  (agg_sort.c).
 */
#ifndef CONSUME_AGG_PRIVATE_H
#define CONSUME_AGG_PRIVATE_H

#include <stddef.h>

#include "consume/agg.h"
#include "consume/agg_tab.h"
#include "consume/agg_value.h"

/* ---- raw ---- */

/*
 * A map key.  Values are as in abi/kernel.h, one a CPU or all CPUs merged.  What functions that
 * add up show is `now - gone`; what min() and max() show is `now`, into which a snapshot merges
 * `gone` (there: what was found in the kernel when it was emptied).
 */
struct raw {
	uint32_t gen;	  /* snapshot that saw it */
	uint32_t row;	  /* number of the row it is in, for the rows built last */
	uint32_t removed; /* by trunc(); comes back with the next update */
	uint32_t touched; /* by the emptying under way */
	uint64_t words[]; /* now, then gone */
};

struct agg_state {
	const struct agg_desc *desc;
	uint64_t normal;
	bool printed;
	struct tab raw; /* payload struct raw; set up by the first visit */
	uint32_t nwords, nslots;
	uint32_t gen;
	bool percpu;
};

/* What SLOT of R shows. */
void raw_value(const struct agg_state *s, const struct raw *r, uint32_t slot, uint64_t *out);

int raw_snapshot(struct agg_state *s, const struct agg_store *store);
int raw_clear(struct agg_state *s, const struct agg_store *store);

/* Remove those records whose row REMOVE[] names, or NULL: all. */
int raw_trunc(struct agg_state *s, const struct agg_store *store, const bool *remove);

/* ---- names of probes ---- */

struct name {
	uint64_t id;
	enum datum_kind part;
	char *text;
	uint32_t first; /* number of the first name with this part and text */
	uint32_t next;	/* number + 1 of another name with the same hash of its text */
};

struct names {
	struct tab by_id, by_text;
	struct name *list;
	uint32_t n, cap;
};

/* ---- the whole ---- */

struct aggs {
	struct agg_store store;
	struct agg_state *states; /* by id */
	uint32_t n;
	void (*reduce)(void *arg, const struct datum *d, void *bytes);
	void *reduce_arg;
	const char *(*text)(void *arg, const struct datum *d, const void *bytes);
	void *text_arg;
	struct names names;
};

/* ---- keys (agg_key.c) ---- */

/* Bytes of a key as rows have it: without the bucket number. */
uint32_t key_len(const struct agg_desc *d);

/* Do bytes of D's keys change on their way into a row? */
bool key_rewrites(const struct aggs *a, const struct agg_desc *d);

/* Reduce symbols, and replace each probe id by the first one that reads the same. -ENOMEM. */
int key_rewrite(struct aggs *a, const struct agg_desc *d, void *key);

void names_free(struct names *n);

/*
 * Keys of rows: <0, 0, >0; from key number FIRST, wrapping.  The two may be laid out
 * differently.  The hash is the same for keys that compare equal; SAME_SIZES: no two of the
 * keys to be compared have numbers of different sizes.
 */
int key_compare(
	const struct aggs *a, const struct agg_row *x, const struct agg_row *y, uint32_t first);
uint64_t key_hash(const struct aggs *a, const struct agg_row *r, bool same_sizes);

/* A number that orders keys as datum number N does, as far as it goes. */
uint64_t key_prefix(const struct aggs *a, const struct agg_row *r, uint32_t n);

/* Does it go all the way? */
bool key_prefix_is_all(const struct aggs *a, const struct agg_row *r, uint32_t n);

/* ---- rows ---- */

struct rows {
	struct agg_row *row;
	uint32_t n;
	/* what they point to */
	struct tab keys; /* of rewritten keys */
	struct agg_value *values, *cpus;
	int64_t *buckets;
};

int rows_build(struct aggs *a, struct agg_state *s, struct rows *out);
/* Join PARTS (of N aggregations) by key; borrows their keys and buckets, and values of CPUs. */
int rows_join(struct aggs *a, const struct rows *parts, const struct agg_desc *const *descs,
	uint32_t n, struct rows *out);
/* Free what a join of R does not borrow: there may be very many rows. */
void rows_joined(struct rows *r);
int rows_sort(const struct aggs *a, struct rows *r, const struct agg_sort *sort);
void rows_free(struct rows *r);

#endif
