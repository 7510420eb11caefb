/* SPDX-License-Identifier: Apache-2.0 */
/*
 * request: what the page of a fleet asks, from the names and values that its server passes on.
 *
 *	what=list
 *	what=heat  prog= agg= from= to= by=none|PART
 *	what=cells prog= agg= from= to= table=distributions|numbers [low= high=]
 *	what=flame prog= agg= from= to= table= [low= high=] [through=] [old_from= old_to=]
 *
 * from, to   seconds since 1970; TO is not part of it
 * PART       0: the host, 1 to 4: a key
 * low, high  the values of the cells that are meant, both included
 * through    a distribution: only hosts that have values in its cells
 * only, without, old_only, old_without = PART:TEXT, any number of them
 * rows       auto, or a table's resolution (questions.def)
 * shards     all: the question fails while one is down; up: the others answer
 *
 * The texts are bytes that somebody on this machine chose; everything else is refused.
 */
#ifndef FLEET_REQUEST_H
#define FLEET_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/heapvec.h"

#define REQUEST_PARTS 5 /* the host and four keys */
#define REQUEST_NONE  (-1)

enum request_what { REQUEST_LIST, REQUEST_HEAT, REQUEST_CELLS, REQUEST_FLAME };

/* Rows whose PART is TEXT: only these (KEEP), or none of them. */
struct request_filter {
	bool keep;
	uint8_t part;
	const char *text;
};

/* Of two things that are compared, one. */
struct request_side {
	uint32_t from, to;
	HEAPVEC(struct request_filter) filters;
};

struct request {
	enum request_what what;
	const char *prog, *agg;
	const char *through; /* NULL: none */
	bool numbers;	     /* not distributions */
	bool has_old;
	bool partial; /* shards that are down may be left out */
	struct request_side now, old;
	int by;	  /* part, or REQUEST_NONE */
	int rows; /* enum ask_rows, or REQUEST_NONE: the best one */
	int64_t low, high;
	char *texts; /* what the pointers point to */
};

/*
 * Fills R, which request_fini() frees, from LEN bytes: names and values, each with a NUL.  0, or a
 * negative errno with a constant in *PROBLEM.
 */
int request_parse(struct request *r, const char *text, size_t len, const char **problem);
void request_fini(struct request *r);

#endif
