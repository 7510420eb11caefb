/* SPDX-License-Identifier: Apache-2.0 */
/*
 * image: what the compiler hands on: programs for the kernel, and what their records, aggregations
 * and faults mean.  Nothing of it changes afterwards.  Clauses that compile while tracing make
 * another image, which describes the programs of those before it as well.
 */
#ifndef COMPILE_IMAGE_H
#define COMPILE_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "ir/lower.h"
#include "ir/places.h"
#include "load/load.h"

struct agg_desc;
struct rec_desc;
struct registry;
struct sema_clause;

/* The clauses of a program, in order; none: it is the session's own. */
struct image_clauses {
	const struct sema_clause *const *data;
	uint32_t len;
};

struct image {
	/*
	 * The object, its programs and sizes, for load_open() or load_more(); the session sets what
	 * its options say.  The object itself is there until another one is made.
	 */
	struct load_image load;
	const struct image_clauses *clauses; /* of load.progs, one for each */
	bool has_pieces;		     /* some clauses are in several programs */

	/* the rest describes all programs that are loaded */
	VEC(const struct open_prog) open;
	struct places places; /* of the open programs, as far as they are taken */
	VEC(const struct fault_place) fault_places; /* by number - 1 */
	const struct rec_desc *const *recs;	    /* by clause number; NULL: it records nothing */
	uint32_t nrecs;
	const struct agg_desc *const *aggs; /* by id - 1; NULL: it is not used */
	uint32_t naggs;
	struct over_layout over;
	bool stores_stacks;	 /* variables hold some */
	bool keeps_user_stacks;	 /* in the table of stacks */
	struct registry *probes; /* whose numbers records and cookies have */
};

#endif
