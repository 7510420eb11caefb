/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gather: collects the stacks of records and tables, with their counts, for pictures and profiles.
 *
 * An aggregation with a stack in its key is a graph; its other keys are the outermost frames, and
 * the user stack of a key is below the kernel's.  Stacks that records hold are one graph, too.
 * printa() shows what was counted since clear(): what a table adds to the one before is counted.
 * Used by a consumer (dtrace/dtrace.h); the owner calls gather_fini().
 */
#ifndef FORMATS_GATHER_H
#define FORMATS_GATHER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/heapvec.h"
#include "base/rectab.h"

struct dtrace_frame;
struct dtrace_item;
struct dtrace_record;
struct dtrace_row;
struct dtrace_table;
struct dtrace_value;
struct tree;

/* The numbers of a node (tree_add()): those below, and DIFF_OLD more for the older picture. */
enum gather_value {
	GATHER_COUNT, /* of stacks, of values; or the sum that sum() shows */
	GATHER_SUM,   /* of the values that avg(), stddev() or a distribution aggregated */
	GATHER_OLD,
};

struct graph {
	char *name;	      /* of the aggregation, without @; "" = of records */
	const char *function; /* "count"; "" = of records */
	char *keys;	/* a letter for each key: s stack, u user stack, n number, t text; "" = of
			 * records */
	bool has_sum;	/* GATHER_SUM is known */
	bool about;	/* ... from the middle of the buckets */
	bool touched;	/* by the table under way */
	bool truncated; /* since clear(); keys may begin anew */
	uint64_t negative;   /* rows of sum() whose number was below zero, and is not in the tree */
	struct rectab cells; /* by node: struct gather_cell */
	struct tree *tree;
};

struct gather {
	HEAPVEC(struct graph *) graphs;
	bool old;     /* what comes is the older picture */
	bool has_old; /* there is one */
	struct buf text;
	/* the stacks of the record under way */
	HEAPVEC(uint32_t) user, kernel;
	bool has_user, has_kernel;
};

void gather_fini(struct gather *g);

/* Callbacks of struct dtrace_consumer; 0 or -ENOMEM. */
int gather_item(struct gather *g, const struct dtrace_record *r, const struct dtrace_item *i);
int gather_end(struct gather *g);
int gather_table(struct gather *g, const struct dtrace_table *t);

/*
 * What comes between these two calls, before anything else, is the older picture that the other one
 * is compared with.
 */
void gather_begin_old(struct gather *g);
void gather_end_old(struct gather *g);

/*
 * Returns the graph of aggregation NAME, added if it is new; NULL without memory.  FUNCTION is a
 * constant of the library; KEYS are those of a row.
 */
struct graph *gather_graph(struct gather *g, const char *name, const char *function,
	const struct dtrace_value *keys, unsigned nkeys);

/*
 * Add the frames of key row ROW of NKEYS keys to T.  Returns the node of the innermost one,
 * TREE_NONE without memory.  A row without any is of a frame "[no stack]".
 */
uint32_t gather_row(struct gather *g, struct tree *t, const struct dtrace_row *row, unsigned nkeys);

/* False: values of its function do not add up, as those of min(), and there are no numbers. */
bool gather_graph_adds_up(const struct graph *g);

/* True if one of the keys of an aggregation, as ROW has it, is a stack. */
bool gather_has_stack(const struct dtrace_row *row, unsigned nkeys);

#endif
