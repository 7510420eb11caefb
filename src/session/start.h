/* SPDX-License-Identifier: Apache-2.0 */
/*
 * start: the stages between a session's programs and its first record.
 *
 * Functions return 0 or a negative errno, with an error in the report.
 */
#ifndef SESSION_START_H
#define SESSION_START_H

struct dtrace;
struct image;

/* Compile and load all enabled clauses.  Buffers are halved until memory suffices. */
int start_programs(struct dtrace *d);

/*
 * Load MORE, which compile_more() has made, in addition: it is the session's image then.  0, or a
 * negative errno: *TEXT says why, the report does not.
 */
int start_more(struct dtrace *d, const struct image *more, const char **text);

/* Open the probes that come while tracing. */
int start_late(struct dtrace *d);

/* Make the tables for user stacks, if a program needs them. */
int start_unwind(struct dtrace *d);

/* Run BEGIN, attach everything else, and let probes fire. */
int start_tracing(struct dtrace *d);

/* Let probes fire, if BEGIN has run and they do not yet. */
void start_firing(struct dtrace *d);

/*
 * Write what BEGIN has printed: whoever waits for a line of it can trust that it is traced, and
 * held, from then on.
 */
int start_showing(struct dtrace *d);

#endif
