/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agg_snapshot: what the kernel has counted for one aggregation, as it was read last, and what
 * clear() and trunc() took away since.  A record for each key of the map, kept from snapshot to
 * snapshot.  On the heap, freed by snapshot_free().
 */
#ifndef CONSUME_AGG_SNAPSHOT_H
#define CONSUME_AGG_SNAPSHOT_H

#include "base/rectab.h"
#include "consume/agg_map.h"

struct symtab;

/*
 * A map key.  Values are as in abi/kernel.h, one a CPU or all CPUs merged.  What functions that
 * add up show is `now - gone`; those that keep a value show `now`, into which a snapshot merges
 * `gone` (there: what was found in the kernel when it was emptied).
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
	struct symtab *syms; /* learns of the processes in keys; NULL = there are none, or no use */
	bool percpu;	     /* keep the value of each CPU */
	struct rectab records; /* payload struct agg_record; set up by the first visit */
	uint32_t nwords;       /* of a value */
	uint32_t nslots;       /* values of a record: the number of CPUs, or 1 */
	uint32_t gen;
};

/* STORE and SYMS, which may be NULL, are borrowed. */
void snapshot_init(struct agg_snapshot *s, const struct agg_desc *desc,
	const struct agg_store *store, struct symtab *syms);
void snapshot_free(struct agg_snapshot *s);

/* 0 or -errno, all of them. */
int snapshot_read(struct agg_snapshot *s);
int snapshot_clear(struct agg_snapshot *s);

/* Remove the records whose row REMOVE[] names; NULL: all records. */
int snapshot_trunc(struct agg_snapshot *s, const bool *remove);

/* The words that SLOT of R shows, to OUT. */
void snapshot_value(
	const struct agg_snapshot *s, const struct agg_record *r, uint32_t slot, uint64_t *out);

static inline struct agg_record *snapshot_record(const struct agg_snapshot *s, uint32_t i)
{
	return rectab_rec(&s->records, i);
}

#endif
