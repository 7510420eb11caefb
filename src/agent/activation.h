/* SPDX-License-Identifier: Apache-2.0 */
/*
 * activation: requests to run an instrument, from rows of the database or from lines of a file, and
 * how long they are valid.
 *
 * Neither is trusted: texts are bounded, and a request that cannot be what it should be has a
 * problem in place of a meaning.  Texts belong to the arena.
 */
#ifndef AGENT_ACTIVATION_H
#define AGENT_ACTIVATION_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct arena;

#define ACTIVATIONS_MOST   256	/* at a time; there are no others */
#define ACTIVATION_PARAMS  32	/* of one */
#define ACTIVATION_TEXT	   1024 /* bytes of an id, a name or a value */
#define ACTIVATION_SECONDS 86400

struct activation {
	const char *id, *instrument;
	const char *host; /* a name or a pattern; "": any */
	unsigned nparams;
	const char *names[ACTIVATION_PARAMS], *values[ACTIVATION_PARAMS];
	uint64_t made, until; /* seconds since 1970; 0: not given */
	const char *problem;  /* why it is refused; NULL: nothing is wrong so far */
};

struct activations {
	struct arena *arena;
	VEC(struct activation) list;
	const char *problem; /* of the whole; NULL: none */
};

/* The query whose rows activations_read_rows() reads; its external table is `me` (host String). */
extern const char activations_query[];

/* Reads LEN bytes of TabSeparated.  0, or -EBADMSG: they are no answer to the query. */
int activations_read_rows(struct activations *a, const char *text, size_t len);

/* Reads LEN bytes of the file PATH, lines of NAME until=TIME PARAMETER=VALUE ... */
void activations_read_file(struct activations *a, const char *path, const char *text, size_t len);

/*
 * Sets *END, when an activation that was first seen at FIRST ends at the latest, in seconds since
 * 1970.  Returns NULL, or why it is refused.
 */
const char *activation_end(const struct activation *a, uint64_t first, uint64_t *end);

/* True if A is for the machine HOST. */
int activation_is_for(const struct activation *a, const char *host);

/* Returns a hash of the instrument and its parameters. */
uint64_t activation_hash(const struct activation *a);

#endif
