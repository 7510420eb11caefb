/* SPDX-License-Identifier: Apache-2.0 */
/*
 * profile: several graphs of stacks (out/gather.h) as one list of samples, as profilers have them:
 * each sample has a value for each of the columns.
 *
 * The owner of a zeroed struct calls profile_fini().
 */
#ifndef FORMATS_PROFILE_H
#define FORMATS_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/heapvec.h"

struct gather;
struct graph;
struct tree;
struct writer_info;

/* A number of a graph. */
struct profile_column {
	const struct graph *graph;
	unsigned value; /* enum gather_value */
};

struct profile {
	HEAPVEC(struct profile_column) columns;
	struct tree *tree;	 /* of all graphs; it has no numbers */
	HEAPVEC(int64_t) values; /* by node of the tree, one for each column */
};

/*
 * Join graphs of G: the first whose numbers add up, and those with keys like its.  The user of INFO
 * is told, in one line each, which are left out and why.  0, -ENOMEM, or -ENODATA: there is none.
 */
int profile_join(struct profile *p, const struct gather *g, const struct writer_info *info);

void profile_fini(struct profile *p);

#endif
