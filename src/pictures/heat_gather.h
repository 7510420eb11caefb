/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heat_gather: what heat maps are made of, collected from records, tables and snapshots.
 *
 * A distribution is a map of values over time.  Its columns are the printa()s of it; if there is
 * at most one, the snapshots; if a key of it has type walltime_t, that key's values.  A count() or
 * sum() with a key of that type is a map of seconds and the offsets in them.  The other keys are
 * series.  Another aggregation with a stack in its key is gathered as a map of one row: its stacks
 * belong to the columns of maps that end at the same times.  Used by a consumer (dtrace/dtrace.h);
 * the owner calls heat_gather_fini().
 */
#ifndef PICTURES_HEAT_GATHER_H
#define PICTURES_HEAT_GATHER_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/aggregation.h"
#include "base/heapvec.h"
#include "base/rectab.h"
#include "dtrace/data.h"
#include "formats/gather.h"
#include "pictures/heat.h"

/* A way to make columns: by printa(), or by snapshots. */
struct heat_source {
	struct heat heat;
	struct rectab last; /* what was seen last, since clear() */
	bool truncated;	    /* since clear(); keys may begin anew */
	bool earlier;	    /* what is added came before the first column */
};

/* The keys of a row but for its time: nodes of heat_map.keys and, with a stack, of its graph. */
struct heat_series {
	uint32_t keys, stack; /* TREE_NONE: no stack */
};

enum heat_columns { HEAT_PRINTED, HEAT_SAMPLED, HEAT_BY_KEY, HEAT_OFFSETS };

struct heat_map {
	char *name; /* of the aggregation, without @ */
	const char *function;
	struct agg_params params;
	enum agg_func func;
	unsigned nkeys;
	int time_key;	  /* -1: none */
	bool only_stacks; /* no distribution: one row, for the stacks of other maps' columns */
	enum heat_columns columns;
	uint64_t negative;    /* changes below zero, which are not in the map */
	struct tree *keys;    /* a path for each combination of keys without stacks */
	struct tree *stacks;  /* NULL: no key is a stack */
	struct rectab rows;   /* of all tables, by what tells them apart */
	struct rectab series; /* struct heat_series, numbered */
	struct heat_source printed, sampled;
	struct heat laid;  /* heat_gather_show()'s copy of one of them */
	struct heat *heat; /* the one that is shown; NULL: none yet */
};

struct heat_gather {
	HEAPVEC(struct heat_map *) maps;
	struct gather gather;		   /* the frames of keys; its graphs are the maps' stacks */
	HEAPVEC(struct dtrace_value) keys; /* of the row under way, without its time */
	uint64_t start;			   /* of tracing, ns since 1970; 0 = unknown */
	bool no_stacks;			   /* those of other aggregations are not wanted */
	bool late; /* snapshots begin at any time: what came before the first is in no column */
	uint64_t first; /* the time of the first snapshot, if LATE; 0: none yet */
};

/* Tracing starts; G is zeroed. */
void heat_gather_begin(struct heat_gather *g);
void heat_gather_fini(struct heat_gather *g);

/* Callbacks of struct dtrace_consumer; 0 or -ENOMEM. */
int heat_gather_item(
	struct heat_gather *g, const struct dtrace_record *r, const struct dtrace_item *i);
int heat_gather_table(struct heat_gather *g, const struct dtrace_table *t);
int heat_gather_snapshot(struct heat_gather *g, uint64_t time, const struct dtrace_table *t);

/*
 * Lays out what has come since SINCE, ns since 1970, of each map, and forgets what came before.
 * More can come afterwards.  0 or -ENOMEM.
 */
int heat_gather_show(struct heat_gather *g, uint64_t since);

/* Lays out the maps and drops those without values: 0, -ENODATA if none is left, or -ENOMEM. */
int heat_gather_finish(struct heat_gather *g);

static inline const struct heat_series *heat_series_at(const struct heat_map *m, uint32_t i)
{
	return rectab_key(&m->series, i);
}

/* True if T is the D type of a time: ns since 1970. */
bool heat_is_time(const char *type);

#endif
