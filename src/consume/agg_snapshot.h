/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agg_snapshot: the last reading of one aggregation's map, and what clear() and trunc() removed
 * from it.  Each key of the map has a record, which is kept from snapshot to snapshot.  Records
 * are on the heap; snapshot_free() frees them.
 */
#ifndef CONSUME_AGG_SNAPSHOT_H
#define CONSUME_AGG_SNAPSHOT_H

#include "base/rectab.h"
#include "consume/agg_map.h"

struct stacks;
struct symtab;

/*
 * A map key.  Values are as in abi/kernel.h, one for each CPU or one for all.  Functions that add
 * up show `now - gone`.  Those that keep a value show `now`; there `gone` is what emptying the map
 * found, and the next snapshot merges it into `now`.
 */
struct agg_record {
	uint32_t gen;	  /* snapshot that saw it */
	uint32_t row;	  /* number of the row it is in, for the rows built last */
	uint32_t removed; /* by trunc(); comes back with the next update */
	uint32_t touched; /* by the emptying under way */
	uint64_t words[]; /* now, then gone */
};

struct agg_snapshot {
	const struct agg_desc *desc;
	const struct agg_store *store;
	struct symtab *syms;   /* reads the maps of processes in keys; NULL = not wanted */
	struct stacks *stacks; /* holds the stacks that keys name; NULL = none do */
	bool percpu;	       /* keep the value of each CPU */
	struct rectab records; /* payload struct agg_record; set up by the first visit */
	uint32_t nwords;       /* of a value */
	uint32_t nslots;       /* values of a record: the number of CPUs, or 1 */
	uint32_t gen;
	uint32_t next; /* the record that is likely visited next: maps keep their order */
};

/* STORE, SYMS and STACKS are borrowed; the last two may be NULL. */
void snapshot_init(struct agg_snapshot *s, const struct agg_desc *desc,
	const struct agg_store *store, struct symtab *syms, struct stacks *stacks);
void snapshot_free(struct agg_snapshot *s);

/* All return 0 or -errno. */
int snapshot_read(struct agg_snapshot *s);
void snapshot_each_stack(
	const struct agg_snapshot *s, void (*visit)(void *arg, uint64_t id), void *arg);
/* Read the N snapshots of LIST, whose aggregations share a map, in order of their ids. */
int snapshot_read_shared(struct agg_snapshot *const *list, uint32_t n);
int snapshot_clear(struct agg_snapshot *s);

/* Remove the records whose row REMOVE[] names; NULL: all records. */
int snapshot_trunc(struct agg_snapshot *s, const bool *remove);

/* Copies the words that SLOT of R shows to OUT. */
void snapshot_value(
	const struct agg_snapshot *s, const struct agg_record *r, uint32_t slot, uint64_t *out);

static inline struct agg_record *snapshot_record(const struct agg_snapshot *s, uint32_t i)
{
	return rectab_rec(&s->records, i);
}

#endif
